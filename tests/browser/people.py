"""People at a panel, on a page or in a notebook: they look, wait, press for a moment, and use keys."""

from __future__ import annotations

from typing import Any

#: Milliseconds: what a press lasts, and how long people look before they press something that has just changed.
PRESS, LOOK = 90, 450
#: The label of what has the focus, or its text without the sign before it.
FOCUS = """() => {
    const one = document.activeElement;
    const said = one.labels?.[0]?.innerText || one.getAttribute("aria-label") || one.innerText || one.className;
    return said.replace(/^[✓✗]/, "").trim();
}"""

#: Of each small board, which is a picture: how many squares have a piece painted on them, and how many are marked.
PICTURED = """(all) => all.map((one) => {
    const pen = one.getContext("2d", {willReadFrequently: true}), side = 40, found = [0, 0];
    for (let y = 0; y < one.height; y += side) for (let x = 0; x < one.width; x += side) {
        const {data} = pen.getImageData(x, y, side, side), ground = data.slice(0, 3).join();
        if (!["240,217,181", "181,136,99"].includes(ground)) found[1]++;
        for (let at = 0; at < data.length; at += 4) if (data.slice(at, at + 3).join() !== ground) { found[0]++; break; }
    }
    return found;
})"""


class Person:
    """Somebody at a panel."""

    def __init__(self, page: Any, root: Any = None) -> None:
        self.page, self.root = page, root or page.locator(".nnb-live")
        self.root.locator(".nnb-heading, .nnb-card").locator("visible=true").first.wait_for()

    def button(self, name: str) -> Any:
        return self.root.get_by_role("button", name=name, exact=True).and_(
            self.root.locator("button:not([aria-disabled])")
        )

    def press(self, button: Any) -> None:
        """Press a button with the mouse, for as long as a person does."""
        one = self.button(button).locator("visible=true").first if isinstance(button, str) else button
        one.wait_for()
        one.scroll_into_view_if_needed()
        self.page.wait_for_timeout(LOOK)
        box = one.bounding_box()
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.mouse.down()
        self.page.wait_for_timeout(PRESS)
        self.page.mouse.up()

    def field(self, label: str) -> Any:
        return self.root.get_by_label(label, exact=True).locator("visible=true")

    def propose(self, wording: str, law: str = "") -> None:
        self.field("Wording").fill(wording)
        self.field("Law").fill(law)
        self.press("Propose")

    def sees(self, text: str) -> None:
        """Wait until it can be read somewhere on the panel."""
        self.root.get_by_text(text).first.wait_for()

    def told(self, text: str) -> None:
        """Wait until the message says so."""
        self.root.locator(".nnb-message").filter(has_text=text).wait_for()

    @property
    def focus(self) -> str:
        """What has the focus: its label, or its text."""
        return str(self.page.evaluate(f"() => ({FOCUS})()"))

    def focused(self, text: str) -> None:
        """Wait until something of this name has the focus, and look at it."""
        self.page.wait_for_function(f"(text) => ({FOCUS})() === text", arg=text)
        self.page.wait_for_timeout(LOOK)
