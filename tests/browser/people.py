"""People at a panel, on a page or in a notebook: they look, wait, press for a moment, and use keys."""

from __future__ import annotations

from typing import Any

#: What the field of a wording is called.
WORDING = "The rule, in your own words"
#: Milliseconds that a press lasts.
PRESS = 90
#: The label of what has the focus, or its text without the sign before it.
FOCUS = """() => {
    const one = document.activeElement;
    const said = one.labels?.[0]?.innerText || one.getAttribute("aria-label") || one.innerText || one.className;
    return said.replace(/^[✓✗]/, "").trim();
}"""
#: Whether something stands still for three paintings, and takes a press (as `core.js` and `boards.js` have it).
STILL = """(el) => {
    el ??= document.activeElement;
    const {x, y} = el.getBoundingClientRect(), was = window.still ?? {};
    const same = was.el === el && was.x === x && was.y === y;
    window.still = {el, x, y, times: same ? was.times + 1 : 1};
    for (let one = el; one; one = one.parentElement)
        if (performance.now() - Math.max(one.moved, one.other) < 420) window.still.times = 0;
    return window.still.times >= 3;
}"""
#: Notes whether the next press is one that a panel does not take, since something changed under it just then.
WATCH = """() => {
    window.refused = false;
    if (window.watched) return;
    window.watched = true;
    let down = 0, meant;
    const pressed = (event) => event.composedPath().find((one) => one.moved !== undefined);
    addEventListener("pointerdown", (event) => { [down, meant] = [performance.now(), pressed(event)?.meant]; }, true);
    addEventListener("click", (event) => {
        const one = pressed(event);
        if (!one) return;
        const unsettled = [one.moved, one.other].some((at) => at <= down && down - at < 400);
        window.refused = one.ariaDisabled === "true" || meant !== one.meant || unsettled;
    }, true);
}"""

#: Of each small board, which is a picture: how many squares have a piece painted on them, and how many are marked.
PICTURED = """(all) => all.map((one) => {
    const pen = one.getContext("2d", {willReadFrequently: true}), side = 40, found = [0, 0];
    for (let y = 0; y < one.height; y += side) for (let x = 0; x < one.width; x += side) {
        const {data} = pen.getImageData(x, y, side, side), ground = data.slice(0, 3).join();
        if (!["235,230,218", "148,160,173"].includes(ground)) found[1]++;
        for (let at = 0; at < data.length; at += 4) if (data.slice(at, at + 3).join() !== ground) { found[0]++; break; }
    }
    return found;
})"""


def wait_until_still(page: Any, one: Any = None) -> None:
    """Wait until something, or what has the focus, has not moved for as long as a panel wants it before a press."""
    handle = one and one.element_handle()
    page.wait_for_function(f"(el) => el?.isConnected === false || ({STILL})(el)", arg=handle)


def press(page: Any, button: Any) -> None:
    """Press a button with the mouse, for as long as a person does; once more where it changed just then."""
    refused = True
    while refused:
        wait_until_still(page, button)
        page.evaluate(WATCH)
        button.click(delay=PRESS)
        refused = page.evaluate("() => window.refused")


class Person:
    """Somebody at a panel that shows the game."""

    def __init__(self, page: Any, root: Any = None) -> None:
        self.page, self.root = page, root or page.locator(".nnb-live")
        self.root.and_(page.locator("[data-step]")).first.wait_for()

    def button(self, name: str) -> Any:
        return self.root.get_by_role("button", name=name, exact=True).and_(
            self.root.locator("button:not([aria-disabled])")
        )

    def still(self, one: Any = None) -> None:
        """Wait until something, or what has the focus, has not moved for as long as a panel wants it before a press."""
        wait_until_still(self.page, one)

    def press(self, button: Any) -> None:
        """Press a button with the mouse, for as long as a person does; once more where it changed just then."""
        press(self.page, self.button(button).locator("visible=true").first if isinstance(button, str) else button)

    def field(self, label: str) -> Any:
        return self.root.get_by_label(label, exact=True).locator("visible=true")

    def writes(self) -> None:
        """Go to where a rule is written, from wherever the form is."""
        choice = self.root.get_by_role("button", name="Write a rule", exact=True)
        choice.or_(self.root.get_by_label(WORDING, exact=True)).locator("visible=true").first.wait_for()
        if choice.is_visible():
            self.press(choice)
        self.field(WORDING).wait_for()

    def opens(self, summary: str) -> None:
        """Open what is folded under a heading, unless it is open."""
        fold = self.root.locator("details").filter(has=self.root.page.locator(f"summary:text-is('{summary}')"))
        if fold.locator("visible=true").first.get_attribute("open") is None:
            self.press(fold.locator("> summary"))

    def options(self) -> None:
        """Go to the fields of a change that are rarely wanted."""
        self.writes()
        self.opens("More options")

    def clauses(self, text: str) -> None:
        """Write clauses below the wording."""
        self.opens("Add clauses, so the game enforces it (optional)")
        self.field("Clauses").fill(text)

    def proposes(self) -> None:
        """Send what is written, whatever the button says."""
        self.press(self.root.locator("button.nnb-send").locator("visible=true"))

    def propose(self, wording: str, law: str = "") -> None:
        self.writes()
        self.field(WORDING).fill(wording)
        if law:
            self.clauses(law)
        self.proposes()

    def types(self, move: str) -> None:
        """Type a move in the field for that, which is folded at first, and press Enter."""
        if not self.field("Type a move").count():
            self.root.get_by_text("Type a move", exact=True).click()
        self.field("Type a move").fill(move)
        self.still(self.button("Move"))
        self.page.keyboard.press("Enter")

    def sees(self, text: str) -> None:
        """Wait until it can be read somewhere on the panel."""
        self.root.get_by_text(text).first.wait_for()

    def told(self, text: str) -> None:
        """Wait until the message says so."""
        self.root.locator(".nnb-message").filter(has_text=text).wait_for()

    @property
    def step(self) -> int:
        """The number of the event that the panel stands at."""
        return int(self.root.get_attribute("data-step"))

    def follows(self, step: int) -> None:
        """Wait until the panel stands at an event, or behind it."""
        handle = self.root.element_handle()
        self.page.wait_for_function("([root, step]) => Number(root.dataset.step) >= step", arg=[handle, step])

    @property
    def focus(self) -> str:
        """What has the focus: its label, or its text."""
        return str(self.page.evaluate(f"() => ({FOCUS})()"))

    def goes_to(self, text: str) -> None:
        """Press Tab until something of this name has the focus."""
        for _ in range(8):
            if self.focus == text:
                break
            self.page.keyboard.press("Tab")
        self.focused(text)

    def focused(self, text: str) -> None:
        """Wait until something of this name has the focus, and can be pressed."""
        self.page.wait_for_function(f"(text) => ({FOCUS})() === text && ({STILL})()", arg=text)
