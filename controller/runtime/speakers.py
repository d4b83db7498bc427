"""Who is logged in on which connection, and what they have done in their name."""

from collections.abc import Callable
from typing import Final

from controller.core.commands import LiftDelay, Person, ReportLogout, TurnAway
from controller.core.ids import Reason, Role
from controller.runtime.access import NOBODY, Speaker, name_of, why_not
from controller.runtime.commander import Commander, Outcome
from controller.runtime.logins import Attempt, Logins, refused_for
from controller.runtime.pins import Pin
from controller.words.lines import Line, SupervisorDecides

FAILURES_MAX: Final = 5
"""So many refused logins end a connection."""

WITNESS_VALID_S: Final = 60.0
"""A witness has seen one decision, which is near; not whatever comes later."""

LAPSES_AFTER_S: Final = 300.0
"""A supervisor who walks away from a console leaves no power to decide behind. A
dealer stays, and speaks by the panel for hours."""

_LAPSING: Final = (Role.SUPERVISOR, Role.TECHNICIAN)
_NOBODY: Final = refused_for(NOBODY.reason, NOBODY.because)


class Session:
    """Who is logged in on one connection; `Speakers` alone changes it."""

    def __init__(self, peer_uid: int) -> None:
        self.peer_uid = peer_uid
        self.person = ""
        self.heard_at = 0.0
        self.witness = ""
        self.witness_until = 0.0
        self.failures = 0

    @property
    def is_spent(self) -> bool:
        """Whether this connection has tried often enough."""
        return self.failures >= FAILURES_MAX


class Speakers:
    """Does what connections ask, in the name of who is logged in there.

    Args:
        logins: lets people in.
        commander: the owner of the table.
        now: monotonic seconds.
    """

    def __init__(
        self, logins: Logins, commander: Commander, now: Callable[[], float]
    ) -> None:
        self._logins = logins
        self._commander = commander
        self._now = now

    @property
    def must_log_in(self) -> bool:
        """Whether a line counts only from who is logged in."""
        return self._logins.people.log_in

    def close(self) -> None:
        """Let nobody in any more; twice is fine."""
        self._logins.close()

    # --- In and out -----------------------------------------------------------------

    async def log_in(self, session: Session, name: str, pin: Pin) -> Outcome:
        """Let somebody speak on this connection, if the PIN is theirs."""
        outcome = await self._attempt(session, Attempt(name, pin, session.peer_uid))
        if outcome.accepted:
            if session.person not in {"", name}:
                await self.log_out(session)
            session.person = name
            session.heard_at = self._now()
        return outcome

    async def bear_witness(self, session: Session, name: str, pin: Pin) -> Outcome:
        """Let somebody witness the next decision on this connection."""
        speaker = await self.speaker(session)
        if speaker is None:
            return _NOBODY
        own = speaker.person.id
        if name == own or self.role_of(name) is Role.SURVEILLANCE:
            because = "expected a second person, who does not only look on"
            return refused_for(Reason.WITNESS_REQUIRED, because)
        outcome = await self._attempt(
            session, Attempt(name, pin, session.peer_uid, witness_to=own)
        )
        if outcome.accepted:
            session.witness = name
            session.witness_until = self._now() + WITNESS_VALID_S
        return outcome

    async def log_out(self, session: Session, *, lapsed: bool = False) -> Outcome:
        """Let nobody speak on this connection any more."""
        name, session.person, session.witness = session.person, "", ""
        if not name:
            return refused_for(NOBODY.reason, "nobody is logged in here")
        person = self._logins.people.person(name)
        return await self._commander.report(
            ReportLogout(person=person, peer_uid=session.peer_uid, lapsed=lapsed)
        )

    async def lift(self, session: Session, name: str) -> Outcome:
        """Let somebody try a PIN again at once, if the speaker may say so."""
        speaker = await self.speaker(session)
        if speaker is None:
            return _NOBODY
        if name not in self._logins.people.listed:
            because = "expected the id of somebody who is listed"
            return refused_for(Reason.UNKNOWN_PERSON, because)
        return await self._commander.report(LiftDelay(person=speaker.person, of=name))

    async def _attempt(self, session: Session, attempt: Attempt) -> Outcome:
        outcome = await self._logins.attempt(attempt)
        session.failures = 0 if outcome.accepted else session.failures + 1
        return outcome

    # --- Speaking -------------------------------------------------------------------

    async def say(self, session: Session, line: Line) -> Outcome:
        """Have a line done in the speaker's name, if it is theirs to say."""
        if not self.must_log_in:
            return await self._commander.command(line, self._logins.people.person)
        if isinstance(line, SupervisorDecides):
            # Who may decide is looked up each time: it may just have been taken away.
            await self._logins.read_again()
        speaker = await self.speaker(session)
        refusal = why_not(line, speaker)
        if speaker is None:
            # Who has not said who they are writes nothing into the journal.
            return _NOBODY
        if refusal is not None:
            return await self._commander.report(
                TurnAway(
                    person=speaker.person,
                    peer_uid=session.peer_uid,
                    command=name_of(line),
                    reason=refusal.reason,
                    because=refusal.because,
                )
            )
        outcome = await self._commander.command(
            line, self._logins.people.person, speaker.person.id
        )
        if outcome.accepted and isinstance(line, SupervisorDecides) and line.witness:
            session.witness = ""
        return outcome

    async def tester(self, session: Session, named: str) -> Person | Outcome:
        """Return who wants to try buttons by hand, or why that is not known.

        `named` is who they say they are: needed where nobody logs in, and else empty
        or the one who is logged in.
        """
        if not self.must_log_in:
            return self._logins.people.person(named)
        # As for a decision: the role may just have been taken away.
        await self._logins.read_again()
        speaker = await self.speaker(session)
        if speaker is None:
            return _NOBODY
        own = speaker.person.id
        if named not in {"", own}:
            because = f"{named} is not logged in here, {own} is"
            return refused_for(Reason.LOGIN_REQUIRED, because)
        return speaker.person

    async def speaker(self, session: Session) -> Speaker | None:
        """Return who speaks on this connection now; whoever speaks is not idle."""
        if not session.person:
            return None
        now = self._now()
        person = self._logins.people.person(session.person)
        lapsed = person.role in _LAPSING and now - session.heard_at > LAPSES_AFTER_S
        if lapsed or person.role is Role.UNKNOWN:
            await self.log_out(session, lapsed=lapsed)
            return None
        session.heard_at = now
        return Speaker(person, session.witness if now < session.witness_until else "")

    def role_of(self, name: str) -> Role:
        """Return the role that we vouch for."""
        return self._logins.people.person(name).role
