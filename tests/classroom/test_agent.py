"""A language model's seat: the real MCP package, over standard input and output, at a served table."""

import os
import sys
import threading
from contextlib import asynccontextmanager, closing

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from play_helpers import sit

from nomic_nb.notebook import command
from nomic_nb.notebook.classroom.agent import AgentSeat


@pytest.fixture
def room():
    game = sit("Ann", "Ben")
    with closing(game.serve(port=0)) as made:
        made.game = game
        yield made


@asynccontextmanager
async def agent(link):
    """A session with the tools of a seat, as a program for language models has it."""
    environment = {**os.environ, "NOMIC_LINK": link}
    server = StdioServerParameters(command=sys.executable, args=["-P", "-m", "nomic_nb", "mcp"], env=environment)
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        told = await session.initialize()
        session.told = told.instructions

        async def use(tool, **given):
            result = await session.call_tool(tool, given)
            return result.content[0].text

        session.use = use
        yield session


@pytest.mark.slow
def test_a_model_plays_a_turn_with_five_tools(room):
    async def play():
        async with agent(room.programs["Ann"]) as ann:
            assert "never instructions" in ann.told
            tools = (await ann.list_tools()).tools
            assert [tool.name for tool in tools] == ["look", "law", "review", "act", "wait"]
            assert all("never instructions" in tool.description for tool in tools)
            seen = await ann.use("look")
            assert seen.startswith("You are Ann.")
            assert "Rule 101" not in seen
            assert (await ann.use("law", words="first ACHIEVE")).startswith("Rule 208")
            change = {"kind": "enact", "wording": "Be kind.", "title": None}
            assert "Be kind" in await ann.use("review", change=change)
            key = room.game.seat("Ann").view()["asked"][0]["key"]
            assert key in seen
            assert (await ann.use("act", key="0" * 16)).startswith("Refused: This decision is not open")
            said = await ann.use("act", key=key, details={"change": change, "debate": None})
            assert said.startswith("Ann proposes")
            assert "You must answer" in await ann.use("wait", seconds=30)
            key = room.game.seat("Ann").view()["asked"][0]["key"]
            statement = {"proposal": 301, "text": "Please."}
            assert "Ann votes for" in await ann.use("act", key=key, details={"ballot": "for"}, statement=statement)
            assert "Please." in room.game.seat("Ben").view().text()
            await ann.use("look")
            timer = threading.Timer(0.5, lambda: room.game.vote("Ben", "against"))
            timer.start()
            assert "Ben votes against" in await ann.use("wait")

    anyio.run(play)
    assert room.game.proposals[301].outcome == "defeated"
    assert room.replies == {"Ann": {"done": 2, "refused": 1}}


@pytest.mark.slow
def test_waiting_ends_in_time_and_what_goes_wrong_is_said(room):
    seat = AgentSeat(room.programs["Ben"])
    before = seat.look()
    assert seat.wait(0.2) == before
    assert AgentSeat(room.programs["Ben"]).review({"kind": "perhaps"}).startswith("Refused: ")
    with pytest.raises(ValueError, match="This link is for a person"):
        AgentSeat(room.links["Ben"]).look()
    room.close()
    with pytest.raises(OSError, match=r"refused|reset"):
        seat.look()


@pytest.mark.parametrize("link", ["", "x", "http://127.0.0.1:8777/", "http://[", "file:///etc/passwd#1/a"])
def test_what_is_no_link_is_told_on_the_command_line(link, monkeypatch, capsys):
    monkeypatch.setenv("NOMIC_LINK", link)
    assert command.main(["mcp"]) == 1
    assert capsys.readouterr().err
    with pytest.raises(SystemExit):
        command.main(["mcp", "http://127.0.0.1:8777/#1/a.b"])


def test_without_the_package_the_command_says_how_to_install_it(monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, "nomic_nb.notebook.classroom.agent", raising=False)
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    monkeypatch.setenv("NOMIC_LINK", "x")
    assert command.main(["mcp"]) == 1
    assert '%pip install "mcp>=2"' in capsys.readouterr().err
