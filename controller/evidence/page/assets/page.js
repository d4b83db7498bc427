"use strict";
(() => {
  const items = [...document.querySelectorAll("#timeline > li")];
  const list = document.getElementById("timeline");
  const slider = document.getElementById("slider");
  const sentence = document.getElementById("sentence");
  const seat = document.getElementById("seat");
  const lamps = document.getElementById("lamps");

  /* Each scene names the regions that are new in it; a whole scene has them all. */
  const scenes = [];
  for (const item of items) {
    const scene = new Map(scenes.at(-1));
    for (const change of item.dataset.draw.split(" ").filter(Boolean)) {
      const [region, piece] = change.split("=");
      scene.set(region, piece);
    }
    scenes.push(scene);
    /* From here on an address leads to a step, no longer to a place in the list. */
    item.dataset.name = item.id;
    item.removeAttribute("id");
  }

  const shown = new Map();
  const isLamps = (item) => item.classList.contains("prompts_changed");
  let seen = items.map((_, at) => at);
  let current = 0;

  function draw(scene) {
    for (const [region, piece] of scene) {
      if (shown.get(region) === piece) continue;
      const drawn = document.getElementById(`piece-${piece}`).content.cloneNode(true);
      document.getElementById(region).replaceChildren(drawn);
      shown.set(region, piece);
    }
  }

  function say(item, position) {
    const where = document.createElement("p");
    where.className = "where";
    const time = item.querySelector("time").textContent;
    const record = item.querySelector(".record").textContent;
    where.textContent = `Step ${position + 1} of ${seen.length}, ${time}, record ${record}`;
    const said = [...item.querySelectorAll("p:not(.out)")].map((p) => p.cloneNode(true));
    sentence.replaceChildren(where, ...said);
  }

  function show(position) {
    if (!seen.length) return;
    current = Math.max(0, Math.min(position, seen.length - 1));
    const at = seen[current];
    let until = at;
    /* Lamps that nobody wants to read about still light with what lit them. */
    while (!lamps.checked && items[until + 1] && isLamps(items[until + 1])) until += 1;
    draw(scenes[until]);
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const item = items[at];
    item.setAttribute("aria-current", "step");
    /* Not scrollIntoView: on a phone that would scroll the table out of sight. */
    const top = item.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 3;
    }
    slider.value = String(current + 1);
    slider.setAttribute("aria-valuetext", `step ${current + 1} of ${seen.length}`);
    say(item, current);
  }

  /* Go to an item, or to the last one before it that can be read. */
  function goTo(item) {
    const at = items.indexOf(item);
    show(seen.findLastIndex((each) => each <= at));
  }

  /* Go to an item and look at the table, which on a phone stands far above it. */
  function visit(item) {
    goTo(item);
    document.getElementById("status").scrollIntoView({ block: "nearest" });
  }

  function sift() {
    const item = items[seen[current] ?? 0];
    const wanted = seat?.value ?? "";
    for (const line of list.querySelectorAll("p")) {
      const ours = !wanted || ["", wanted].includes(line.dataset.seat);
      line.classList.toggle("out", !ours);
    }
    for (const each of items) {
      const hushed = isLamps(each) && !lamps.checked;
      each.classList.toggle("out", hushed || !each.querySelector("p:not(.out)"));
    }
    for (const place of document.querySelectorAll(".seat")) {
      place.classList.toggle("picked", place.classList.contains(`at-${wanted}`));
    }
    seen = items.map((_, at) => at).filter((at) => !items[at].classList.contains("out"));
    slider.max = String(seen.length);
    goTo(item);
  }

  const steps = {
    first: () => show(0),
    back: () => show(current - 1),
    on: () => show(current + 1),
    last: () => show(seen.length - 1),
  };
  for (const [name, step] of Object.entries(steps)) {
    document.getElementById(name).addEventListener("click", step);
  }
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!(event.key in keys) || event.target.matches?.("input[type=range], select")) return;
    event.preventDefault();
    steps[keys[event.key]]();
  });
  slider.addEventListener("input", () => show(Number(slider.value) - 1));
  seat?.addEventListener("change", sift);
  lamps.addEventListener("change", sift);
  list.addEventListener("click", (event) => {
    const item = event.target.closest("li");
    if (!item || String(getSelection())) return;
    event.preventDefault();
    history.replaceState(null, "", `#${item.dataset.name}`);
    visit(item);
  });
  const fromAddress = () => items.find((item) => `#${item.dataset.name}` === location.hash);
  addEventListener("hashchange", () => { if (fromAddress()) visit(fromAddress()); });
  /* Paper shows the end of the round, whatever the screen was showing. */
  addEventListener("beforeprint", () => draw(scenes.at(-1)));
  addEventListener("afterprint", () => show(current));

  document.getElementById("controls").hidden = false;
  document.body.classList.add("alive");
  if (fromAddress()) visit(fromAddress());
  else goTo(items[0]);
})();
