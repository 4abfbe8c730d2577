"""The game: state, decisions, actions, turns, voting, events. Joins the law to what happens at the table."""
