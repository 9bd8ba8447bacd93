"""A page as a program reads it: elements with their attributes, and tables with their cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "img", "hr", "input"}


@dataclass
class Element:
    """An element and all the text in it."""

    tag: str
    attributes: dict[str, str | None]
    text: str = ""
    inside: tuple[str, ...] = ()


@dataclass
class Page(HTMLParser):
    """What is on a page, in order."""

    html: str
    elements: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[Element] = []
        self.feed(self.html)
        self.close()
        assert self._open == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs), inside=tuple(one.tag for one in self._open))
        assert len(element.attributes) == len(attrs), "no attribute is there twice"
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self._open[-1].tag == tag, "elements are closed in order"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data

    def all(self, tag: str) -> list[Element]:
        """The elements of a kind."""
        return [element for element in self.elements if element.tag == tag]

    def rows(self) -> list[list[str]]:
        """The cells of all rows of all tables, in order, white space made plain."""
        rows: list[list[str]] = []
        for element in self.elements:
            if element.tag == "tr":
                rows.append([])
            if element.tag in ("td", "th"):
                rows[-1].append(" ".join(element.text.split()))
        return rows
