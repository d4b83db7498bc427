// Runs a script under MicroPython beside the firmware; see micropython.py.
// node run.mjs BUILD FIRMWARE SCRIPT [LINE-DESCRIPTOR BOOT-ID]
import fs from "node:fs";
import path from "node:path";

const [build, firmware, script, line, boot] = process.argv.slice(2);
const { loadMicroPython } = await import(build);
// As much memory as MicroPython has on an RP2040.
const micropython = await loadMicroPython({
  heapsize: 192 * 1024,
  stdout: (text) => fs.writeSync(1, text + "\n"),
});

micropython.FS.mkdir("/panel");
for (const name of fs.readdirSync(path.join(firmware, "panel"))) {
  if (name.endsWith(".py")) {
    const source = fs.readFileSync(path.join(firmware, "panel", name), "utf8");
    micropython.FS.writeFile("/panel/" + name, source);
  }
}

const stopOnError = (work) => {
  try {
    return work();
  } catch (error) {
    fs.writeSync(2, String(error.message) + "\n");
    process.exit(1);
  }
};

// The board's clock stands still while this machine has no time for the board: a
// board that has its processor for itself does not stall.
let boardMs = 0;
let asked = performance.now();
const boardClock = () => {
  const now = performance.now();
  boardMs += Math.min(now - asked, 2);
  asked = now;
  return Math.floor(boardMs);
};
let contacts = 0;
const readLine = (count) => {
  const data = Buffer.alloc(count);
  try {
    return data.toString("hex", 0, fs.readSync(Number(line), data));
  } catch (error) {
    // Nothing waits, or nobody has the other end open.
    return "";
  }
};

micropython.registerJsModule("wire", {
  boot_id: Number(boot ?? 1),
  now_ms: boardClock,
  closed: () => contacts,
  read: readLine,
  send: (hex) => fs.writeSync(Number(line), Buffer.from(hex, "hex")),
});
stopOnError(() => micropython.runPython(fs.readFileSync(script, "utf8")));
if (line === undefined) {
  process.exit(0);
}

let told = "";
process.stdin.on("data", (data) => {
  told += data;
  const lines = told.split("\n");
  told = lines.pop();
  for (const text of lines) {
    contacts = Number(text);
  }
});
process.stdin.on("end", () => process.exit(0));
const turn = micropython.globals.get("turn");
setInterval(() => stopOnError(() => turn()), 1);
