"""What only clients of Signet need.

Users who switch from Signet, another memory daemon, keep its plugins and scripts. Its client
contract fixes paths, field names (in snake case and camel case), status codes and the format of
injected texts. These endpoints are for its clients alone:

- `hooks.py`: the five hooks that its plugins call (`/api/hooks/session-start`,
  `user-prompt-submit`, `session-end`, `remember`, `recall`), `compaction.py`: the two around a
  compaction (`pre-compaction`, `compaction-complete`), `hook_calls.py`: what they have in common;
  `runtime_claims.py` lets only one of a harness's two integrations serve a session. The injected
  texts are made in `sessions/contract_text.py`.
- `legacy_search.py`: `GET /memory/search`, the search by keywords.
- `timeline.py`: `GET /api/memory/timeline`, which its dashboard shows.

The other endpoints follow the contract too where it has them, but the dashboard, the command
line and Intaglio's own hooks use them as well. The gate reads the names of an agent that the
contract allows (`gate/request_agent.py`).
"""
