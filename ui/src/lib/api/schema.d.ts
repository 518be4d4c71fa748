/** Generated from the API's description by `python3 app ui`; do not edit it. */

export interface paths {
    "/health": {
        /** @description Return whether the daemon is healthy; needs neither the database nor a token. */
        get: operations["getHealth"];
    };
    "/api/status": {
        /** @description Return the daemon's full status: process, database, queue, agents, and what is wrong. */
        get: operations["getStatus"];
    };
    "/api/diagnostics": {
        /**
         * @description Return all domains with their scores, as Signet's clients read them.
         *
         *     What is checked, and what to do about it, is in GET /api/health.
         */
        get: operations["getDiagnostics"];
    };
    "/api/diagnostics/{domain}": {
        /** @description Return one domain with its score. */
        get: operations["getDomainDiagnostics"];
    };
    "/api/health": {
        /**
         * @description Return how the installation is: a sentence, issues, domains, agents and backups.
         *
         *     The checks run at most every two seconds; those that read much run less often.
         */
        get: operations["getHealthReport"];
    };
    "/api/auth/link": {
        /** @description Create a link that signs one browser in; it works once and expires after ten minutes. */
        post: operations["createSignInLink"];
    };
    "/api/auth/page": {
        /**
         * @description Create a private file that leads one browser to a sign-in link.
         *
         *     Opening it keeps the link out of the browser's arguments, which other users can read. The
         *     file is deleted once the link is used, or after a minute.
         */
        post: operations["createSignInPage"];
    };
    "/api/auth/proof": {
        /**
         * @description Prove to a client that this daemon knows the installation's tokens.
         *
         *     A client that can't use the Unix socket asks before it sends anything.
         */
        get: operations["proveDaemon"];
    };
    "/api/auth/whoami": {
        /** @description Return the caller's role, and who may connect. */
        get: operations["getWhoAmI"];
    };
    "/api/backups": {
        /** @description List the backups and the copies that were saved aside, newest first. */
        get: operations["listBackups"];
        /** @description Make a backup now; older ones are deleted as after the daily one. */
        post: operations["makeBackup"];
    };
    "/api/backups/create-empty": {
        /** @description Create an empty database in the place of a missing one; what is left of it is kept. */
        post: operations["createEmptyDatabase"];
    };
    "/api/backups/restore": {
        /** @description Restore a backup; the current database files are moved aside, not deleted. */
        post: operations["restoreBackup"];
    };
    "/api/backups/test": {
        /** @description Restore a backup into a temporary folder and check it: the newest one by default. */
        post: operations["testBackup"];
    };
    "/api/daemon/stop": {
        /** @description Stop the daemon after it finishes the work in progress. */
        post: operations["stopDaemon"];
    };
    "/api/uninstall": {
        /**
         * @description Show what uninstalling would remove and what stays. Removes nothing.
         *
         *     Only the command line uninstalls, because it ends the daemon. `command` is what to run.
         */
        get: operations["previewUninstall"];
    };
    "/api/events": {
        /** @description Stream `changed`, `state`, `settings` and `resync` events, starting with the state. */
        get: operations["streamEvents"];
    };
    "/api/logs": {
        /**
         * @description Return the newest lines of the log, newest last.
         *
         *     `level` selects that level and above, `category` a part of the program, `requestId` the
         *     lines of one request, `q` those that contain the words. `cursor` leads to older lines. A
         *     page is shorter than `limit` if its lines are very long.
         */
        get: operations["listLogs"];
    };
    "/api/logs/stream": {
        /**
         * @description Stream lines as they are written, each the `data` of an event.
         *
         *     The first event is `{"type":"connected"}`. `after` is the `end` of a list, or the id of an
         *     event, which a browser sends by itself (`Last-Event-ID`). A client that doesn't keep up
         *     gets an entry that says so instead of the lines in between.
         */
        get: operations["streamLogs"];
    };
    "/api/settings": {
        /**
         * @description Return every setting: what it is, its value, and where that comes from.
         *
         *     The file is read for each request. Secrets are never included.
         */
        get: operations["getSettings"];
        /**
         * @description Write settings into the file, all or none of them, and use them at once.
         *
         *     A value out of bounds is refused (400), a change with a consequence unless it is confirmed
         *     (409, `confirmation_needed`), and any change while the file can't be read (409,
         *     `settings_file_broken`). Comments, order and unknown keys of the file stay as they are.
         */
        post: operations["changeSettings"];
    };
    "/api/features": {
        /** @description Return the switches below `features` in `agent.yaml`. */
        get: operations["getFeatures"];
    };
    "/api/config": {
        /**
         * @description Return the Markdown and YAML files directly in the workspace.
         *
         *     Values of keys, tokens and passwords in YAML are hidden, in comments too. Links that lead
         *     out of the workspace, files over 1 MB and those that aren't UTF-8 are left out.
         */
        get: operations["getConfig"];
        /**
         * @description Replace one of these files, and keep it as it was this morning as `<name>.bak`.
         *
         *     `agent.yaml` must be YAML (400 with line and column); what is hidden in it stays as it is.
         */
        post: operations["writeConfig"];
    };
    "/api/identity": {
        /**
         * @description Return the agent's name and character from `IDENTITY.md`.
         *
         *     An agent that a request names may have one of its own in `agents/<name>/`.
         */
        get: operations["getIdentity"];
    };
    "/api/update/config": {
        /** @description Return how updates are looked for. */
        get: operations["getUpdateConfig"];
        /** @description Change how updates are looked for; `autoInstall` true is refused (400). */
        post: operations["changeUpdateConfig"];
    };
    "/api/changelog": {
        /** @description Return what is new in each version, newest first. */
        get: operations["getChangelog"];
    };
    "/api/update/check": {
        /**
         * @description Return the newest version that is known.
         *
         *     With ``force``, the package manager that installed Intaglio is asked first, by its own
         *     configuration; what it said at most ten seconds ago is used again.
         */
        get: operations["checkForUpdate"];
    };
    "/api/update/run": {
        /**
         * @description Run the package manager's own command, if it needs no administrator and is confirmed.
         *
         *     Otherwise the reply has `success` false, and the command for the user's shell. Waits until
         *     the manager ends; 409 while it runs already.
         */
        post: operations["runUpdate"];
    };
    "/api/changelog/seen": {
        /** @description Mark the changes of the running version and of all before as seen. */
        post: operations["markChangelogSeen"];
    };
    "/api/models/confirm": {
        /**
         * @description Agree to the model that the settings name; it is asked from now on.
         *
         *     Replies 409 if the settings name another one meanwhile.
         */
        post: operations["confirmModel"];
    };
    "/api/models/detect": {
        /**
         * @description Look whether Ollama runs on this machine, and which models it has.
         *
         *     It is asked for the list of its models, on loopback; no model is asked anything.
         */
        post: operations["detectModels"];
    };
    "/api/models": {
        /**
         * @description Return the configured models with their states, and today's usage.
         *
         *     No model is asked.
         */
        get: operations["getModels"];
    };
    "/api/models/test": {
        /**
         * @description Ask a configured model one tiny question, and estimate what a session costs.
         *
         *     Nothing of the user's is sent. Replies 409 if no model is configured and confirmed.
         */
        post: operations["testModel"];
    };
    "/api/models/usage": {
        /** @description Return what calls used in the last days, today included. */
        get: operations["getModelUsage"];
    };
    "/api/pipeline/models/by-provider": {
        /** @description List the same models by provider. */
        get: operations["listModelsByProvider"];
    };
    "/api/pipeline/models": {
        /** @description List the configured and known models; asks nobody. */
        get: operations["listKnownModels"];
    };
    "/api/pipeline/models/refresh": {
        /**
         * @description Ask the configured servers which models they offer.
         *
         *     Replies 429 within a minute, with the list as it is.
         */
        post: operations["refreshModels"];
    };
    "/api/agents": {
        /** @description List all agents with their read policies and memory counts. */
        get: operations["listAgents"];
        /** @description Add an agent, or restore an archived one with its memories. */
        post: operations["addAgent"];
    };
    "/api/agents/{agent_id}": {
        /** @description Get an agent. */
        get: operations["getAgent"];
        /** @description Archive an agent: its memories stay, but no other agent can read them. */
        delete: operations["archiveAgent"];
        /** @description Change an agent's name, description, read policy or group. */
        patch: operations["changeAgent"];
    };
    "/api/jobs/{job_id}/discard": {
        /** @description Discard a failed job; its work isn't done until the memory changes again. */
        post: operations["discardJob"];
    };
    "/api/memory/jobs/{job_id}": {
        /** @description Get a job. */
        get: operations["getJob"];
    };
    "/api/jobs": {
        /** @description List jobs, newest first, with counts per type and state and the current throughput. */
        get: operations["listJobs"];
    };
    "/api/jobs/{job_id}/retry": {
        /** @description Retry a failed job and check again what made it fail. */
        post: operations["retryJob"];
    };
    "/api/jobs/retry": {
        /** @description Retry all failed jobs, or those of one type. */
        post: operations["retryJobs"];
    };
    "/api/analytics/continuity": {
        /**
         * @description List how useful sessions found what they were told, the latest rated first.
         *
         *     Agents rate memories by `POST /api/memory/feedback` or the tool `memory_feedback`; a session
         *     without ratings has no score. An agent sees its own sessions only.
         */
        get: operations["listContinuityScores"];
    };
    "/api/analytics/errors": {
        /**
         * @description List the newest errors since a time, oldest first, of one stage or all.
         *
         *     500 are kept, until the daemon stops.
         */
        get: operations["listErrors"];
    };
    "/api/analytics/latency": {
        /** @description Return how long requests and background work took. */
        get: operations["getLatency"];
    };
    "/api/analytics/continuity/latest": {
        /** @description Return the latest score of each project. */
        get: operations["listLatestContinuity"];
    };
    "/api/analytics/memory-safety": {
        /** @description Return how often memories were restored and deleted, and which changes were refused. */
        get: operations["getMemorySafety"];
    };
    "/api/analytics/usage": {
        /** @description Return how often what was called since the daemon started; no raw paths, no texts. */
        get: operations["getUsage"];
    };
    "/api/telemetry/events": {
        /** @description List events, newest first: of one kind or all, from a time on and before another. */
        get: operations["listTelemetry"];
    };
    "/api/telemetry/export": {
        /** @description Return all events as JSON lines, oldest first; 404 while telemetry is off. */
        get: operations["exportTelemetry"];
    };
    "/api/telemetry/stats": {
        /** @description Return how many events there are, and what language models used. */
        get: operations["getTelemetryStats"];
    };
    "/api/telemetry/training-export": {
        /**
         * @description Return what sessions considered, whether it was told, and how it was rated.
         *
         *     As JSON lines, or with `format=csv` as a table; 404 while telemetry is off. It has ids and
         *     scores, but no texts.
         */
        get: operations["exportTraining"];
    };
    "/api/timeline/{subject}/export": {
        /** @description Return the same as a file. */
        get: operations["exportEventTimeline"];
    };
    "/api/timeline/{subject}": {
        /**
         * @description Return what happened to a memory, an entity, in a session or in a request, by its id.
         *
         *     A session is found by its number or its harness's id. An agent sees what it may read; only
         *     the user sees lines of the log. What doesn't exist or was erased is `unknown` and has no
         *     events. Events have ids, names and numbers, but no texts; at most the 500 newest.
         */
        get: operations["getEventTimeline"];
    };
    "/api/pipeline/status": {
        /** @description Return what runs, what waits and how the pipeline works. */
        get: operations["getPipelineStatus"];
    };
    "/api/pipeline/stages/{stage}/pause": {
        /** @description Let a stage make no more calls; its jobs wait in the queue meanwhile. */
        post: operations["pauseStage"];
    };
    "/api/pipeline/redo": {
        /** @description Do again what a stage has made since a time; `dryRun` only says how much that is. */
        post: operations["redoStage"];
    };
    "/api/pipeline/stages/{stage}/resume": {
        /** @description Let a stage make calls again; does nothing if it isn't paused. */
        post: operations["resumeStage"];
    };
    "/api/pipeline/stages": {
        /** @description List the stages: what each is doing, what waits, and what its calls cost. */
        get: operations["listStages"];
    };
    "/api/pipeline/calls": {
        /**
         * @description List calls, newest first. `before` is the cursor of the page before.
         *
         *     `outcome` is `answered`, `failed` for all others, or one of these.
         */
        get: operations["listModelCalls"];
    };
    "/api/pipeline/proposals": {
        /**
         * @description List what was proposed for single facts, newest first, with evidence and target.
         *
         *     `before` is the cursor of the page before. Blocked proposals are decided in the inbox.
         */
        get: operations["listProposals"];
    };
    "/api/embeddings": {
        /** @description List the memories that have an embedding, in pages; `vectors=true` includes it. */
        get: operations["exportEmbeddings"];
    };
    "/api/embeddings/health": {
        /** @description Check the embeddings: return the problems found and how to fix them. */
        get: operations["getEmbeddingsHealth"];
    };
    "/api/embeddings/status": {
        /** @description Return whether the embedding model is available; it's checked in the background. */
        get: operations["getEmbeddingsStatus"];
    };
    "/api/embeddings/projection": {
        /**
         * @description Return a layout of the memories that pass the filters, newest first.
         *
         *     `project` or `agent` name the map, all others select from it. Without a layout, a run is
         *     queued: 202 while it takes, 500 for 30 seconds after it failed.
         */
        get: operations["getProjection"];
    };
    "/api/embeddings/projection/runs": {
        /**
         * @description Compute the layouts of a map anew, in the background; the state tells how far it is.
         *
         *     404 for a project or an agent without memories.
         */
        post: operations["startMapRun"];
        /** @description Stop the run of a map that is queued or going on, if there is one. */
        delete: operations["cancelMapRun"];
    };
    "/api/embeddings/projection/state": {
        /** @description Return which layouts a map has, and what is being computed. Nothing is started. */
        get: operations["getMapState"];
    };
    "/api/embeddings/projection/edges": {
        /**
         * @description Return pairs of points that are near each other, as little-endian u32.
         *
         *     At most three for each point, first those to its nearest. 409 if the map has changed since
         *     `token`.
         */
        get: operations["getMapEdges"];
    };
    "/api/embeddings/projection/points": {
        /**
         * @description Return all points of a map in binary form, of each layout that there is.
         *
         *     "INTAMAP1", the length of the header (u32), the header as JSON (`MapHeader`), and the
         *     columns, all little-endian. The ETag is the token for edges and labels. `dimensions=3` asks
         *     for the layout in three dimensions, too.
         */
        get: operations["getMapPoints"];
    };
    "/api/embeddings/projection/labels": {
        /**
         * @description Return the clusters of a map at three levels, with their most distinctive words.
         *
         *     The words are of memories that the caller may read. 409 if the map has changed since
         *     `token`.
         */
        get: operations["getMapLabels"];
    };
    "/api/embeddings/projection/matches": {
        /**
         * @description List the ids of the memories in a map that match filters, newest first.
         *
         *     `project` or `agent` name the map, all others select from it.
         */
        get: operations["listMapMatches"];
    };
    "/api/repair/cold-stats": {
        /** @description Count the memories that are stored but told to nobody. */
        get: operations["getColdStats"];
    };
    "/api/repair/dedup-stats": {
        /** @description Count the memories with the same content as another one of their scope. */
        get: operations["getDedupStats"];
    };
    "/api/repair/embedding-gaps": {
        /** @description Count the memories without an embedding. */
        get: operations["getEmbeddingGaps"];
    };
    "/api/repair": {
        /**
         * @description List the repairs, the latest runs, and what maintenance does.
         *
         *     The reasons that were given are for the user: the token, or a signed-in browser.
         */
        get: operations["listRepairs"];
    };
    "/api/repair/{action}": {
        /**
         * @description Run a repair, or only count what it would change.
         *
         *     One that changes memories or entities needs the token or a signed-in browser. Replies 429
         *     if it's frozen, comes too soon or too often, or if an agent may not request it.
         */
        post: operations["runRepair"];
    };
    "/api/repair/runs/{run_id}/undo": {
        /** @description Restore what a run changed, as far as it is still there. */
        post: operations["undoRepair"];
    };
    "/api/knowledge/entities": {
        /**
         * @description List entities: pinned ones first, then the most mentioned.
         *
         *     `q` searches names and aliases. `project` selects a project's own entities and the shared
         *     ones that its memories name, `memoryId` those that one memory names or is about.
         */
        get: operations["listEntities"];
    };
    "/api/knowledge/entities/health": {
        /** @description List how often each entity's memories helped; empty, as nothing predicts it yet. */
        get: operations["listEntityHealth"];
    };
    "/api/knowledge/entities/{entity_id}/memories": {
        /** @description List the memories that name an entity or are about it, newest first. */
        get: operations["listEntityMemories"];
    };
    "/api/knowledge/entities/{entity_id}/mentions": {
        /** @description List where memories name an entity; `limit` counts memories, newest first. */
        get: operations["listMentions"];
    };
    "/api/knowledge/entities/pinned": {
        /** @description List the pinned entities, the latest first. */
        get: operations["listPinnedEntities"];
    };
    "/api/knowledge/entities/{entity_id}/aliases": {
        /** @description List the names of an entity. */
        get: operations["listAliases"];
        /** @description Add a name, by which memories name the entity from then on. */
        post: operations["addAlias"];
    };
    "/api/knowledge/entities/{entity_id}": {
        /** @description Return an entity; of one that was merged, the one that it counts as. */
        get: operations["getEntity"];
        /**
         * @description Change an entity's name, type, description or weight.
         *
         *     The old name stays an alias. 409 with `entityId` if another entity has the name; merge them
         *     if they are the same. `changeId` undoes a change of the name or, without one, of the type.
         */
        patch: operations["changeEntity"];
    };
    "/api/knowledge/entities/{entity_id}/pin": {
        /** @description Pin an entity: sessions are always told about it. It is no longer suppressed. */
        post: operations["pinEntity"];
        /** @description Unpin an entity. */
        delete: operations["unpinEntity"];
    };
    "/api/knowledge/entities/{entity_id}/aliases/{alias_id}": {
        /** @description Remove a name. If memories use it, it becomes an entity of its own. */
        delete: operations["removeAlias"];
    };
    "/api/knowledge/entities/{entity_id}/suppress": {
        /** @description Suppress an entity: it isn't used to choose what sessions are told. Also unpins it. */
        post: operations["suppressEntity"];
        /** @description Let an entity count again. */
        delete: operations["unsuppressEntity"];
    };
    "/api/knowledge/entities/{entity_id}/aspects": {
        /** @description List the aspects of an entity, weightiest first. */
        get: operations["listAspects"];
    };
    "/api/knowledge/entities/{entity_id}/aspects/{aspect_id}/attributes": {
        /**
         * @description List the facts and constraints of an aspect, constraints first.
         *
         *     The aspect `unclassified` has those that await classification. 404 for an aspect that the
         *     entity doesn't have.
         */
        get: operations["listAttributes"];
    };
    "/api/knowledge/entities/{entity_id}/dependencies": {
        /** @description List what an entity depends on, and what depends on it; strongest first. */
        get: operations["listDependencies"];
    };
    "/api/knowledge/stats": {
        /** @description Count the graph, and which share of the facts has a place in it. */
        get: operations["getKnowledgeStats"];
    };
    "/api/knowledge/attributes/{attribute_id}": {
        /**
         * @description Change what a fact is in the graph; its memory stays as it is.
         *
         *     Agents may not make it a constraint.
         */
        patch: operations["changeAttribute"];
    };
    "/api/knowledge/entities/{entity_id}/changes": {
        /** @description List the user's changes of an entity that can be undone, or were, newest first. */
        get: operations["listEntityChanges"];
    };
    "/api/knowledge/entities/{entity_id}/merge": {
        /** @description Merge an entity into another one, which its memories count for from now on. */
        post: operations["mergeEntity"];
    };
    "/api/knowledge/entities/{entity_id}/split": {
        /** @description Make a new entity of memories that are about something else; the reply contains it. */
        post: operations["splitEntity"];
    };
    "/api/knowledge/changes/{change_id}/undo": {
        /** @description Undo a change; 409 says what prevents it. */
        post: operations["undoEntityChange"];
    };
    "/api/knowledge/constellation": {
        /**
         * @description Return the most important entities: at most 500, of 10 aspects, of 20 facts each.
         *
         *     `project` or `agent` name the map that they have positions in; without, that of all
         *     memories.
         */
        get: operations["getConstellation"];
    };
    "/api/knowledge/entities/{entity_id}/neighbors": {
        /**
         * @description Return the local graph around an entity, which comes first: at most 40 entities.
         *
         *     Edges are dependencies, and `mentioned_with` between entities that memories name together.
         */
        get: operations["listNeighbors"];
    };
    "/api/knowledge/expand": {
        /**
         * @description Return what is known about an entity, constraints first.
         *
         *     `question` puts the facts first that share words with it. `maxTokens` limits facts;
         *     constraints are never left out. With `project`, only what is known there and everywhere.
         */
        post: operations["expandEntity"];
    };
    "/api/knowledge/traversal/status": {
        /** @description Describe the last walk since the daemon started; names only what the reader sees. */
        get: operations["getTraversalStatus"];
    };
    "/api/memory/{memory_id}": {
        /** @description Get a live memory. */
        get: operations["getMemory"];
        /**
         * @description Forget a memory; it can be restored until its retention period expires.
         *
         *     A reason is required. `force` erases it permanently, even if it is pinned or already
         *     forgotten; `outside` then lists where its content may still exist.
         */
        delete: operations["forgetMemory"];
        /** @description Change fields of a live memory; a reason is required. */
        patch: operations["modifyMemory"];
    };
    "/api/memory/{memory_id}/history": {
        /** @description List a memory's changes, oldest first; works for forgotten and erased memories too. */
        get: operations["getMemoryHistory"];
    };
    "/api/memory/{memory_id}/recover": {
        /** @description Restore a forgotten memory; a reason is required. */
        post: operations["recoverMemory"];
    };
    "/api/memory/{memory_id}/reinstate": {
        /**
         * @description Use a replaced or outdated memory again; a reason is required.
         *
         *     The memory that replaced it stays as it is: both hold from now on.
         */
        post: operations["reinstateMemory"];
    };
    "/api/memory/remember": {
        /**
         * @description Save a memory, or return the existing one with the same content.
         *
         *     `/api/memory/save` and `/api/hook/remember` do the same.
         */
        post: operations["remember"];
    };
    "/api/memory/{memory_id}/retire": {
        /**
         * @description Mark a memory as outdated; a reason is required.
         *
         *     It is kept with its history, and no longer told or found: it held until now. Reinstating it
         *     undoes this. A pinned memory has to be unpinned first.
         */
        post: operations["retireMemory"];
    };
    "/api/memory/feedback": {
        /** @description Record how useful memories were to a session, from -1 to 1. */
        post: operations["rateMemories"];
    };
    "/api/memory/forget": {
        /**
         * @description Preview the memories that a selection matches or, with `mode: execute`, forget them.
         *
         *     Forgetting more than 25 needs the `confirmToken` of their preview. `force` erases them
         *     permanently.
         */
        post: operations["forgetMemories"];
    };
    "/api/memory/modify": {
        /**
         * @description Apply 1 to 200 changes independently; an invalid one fails alone.
         *
         *     A patch has an id, the fields to change, and optionally its own reason and if_version.
         */
        post: operations["modifyMemories"];
    };
    "/api/memory/recover": {
        /** @description Restore 1 to 200 forgotten memories independently; a reason is required. */
        post: operations["recoverMemories"];
    };
    "/api/memories": {
        /**
         * @description List live memories, newest first; `project` selects only that project's own.
         *
         *     `agentId` is the reading agent, `agent` selects an agent's memories. `sort` chooses another
         *     order, and `group` lists one project or type after the other. `deleted=true` lists the
         *     forgotten memories that can still be restored, most recently forgotten first. Replaced and
         *     disputed memories are listed too, unless `status` selects; `as_of` lists what held then.
         */
        get: operations["listMemories"];
    };
    "/api/memory/recall": {
        /**
         * @description Return the memories that best answer a question in natural language.
         *
         *     What was replaced or is disputed is left out, unless `status` or `as_of` asks for it. With
         *     `expand`, results have the messages around the one that they come from, as far as the
         *     transcript is stored and the agent may read it. What was replaced or taken back since is
         *     marked there; what was forgotten or dropped is left out.
         */
        post: operations["recall"];
    };
    "/api/memory/search": {
        /**
         * @description Recall by query parameters; the filters are those of the list.
         *
         *     Results that don't answer the query are left out; `min_score=0` lists them too.
         *     `project` selects that project's memories and those for all projects; `exactProject=true`
         *     selects only its own, as in the list. Unlike the list, it leaves out what was replaced or is
         *     disputed, unless `status` or `as_of` is given; `status=all` searches everything.
         */
        get: operations["searchMemories"];
    };
    "/api/find": {
        /**
         * @description Find memories, entities, sessions, inbox items, projects and commits.
         *
         *     The last word of `q` may be the beginning of one. `limit` is the most of a kind. With
         *     `project`, only what belongs to it or to all projects is found; without, archived projects
         *     are left out.
         */
        get: operations["find"];
    };
    "/memory/search": {
        /**
         * @description Find memories by keywords or only by filters; `distinct=who` lists the authors.
         *
         *     The filters are those of the list; `project` as in `/api/memory/search`. `score` is BM25
         *     (higher is better) or, without keywords, the effective importance.
         */
        get: operations["searchByWords"];
    };
    "/memory/similar": {
        /** @description List the memories most similar to this one, excluding it. */
        get: operations["similarMemories"];
    };
    "/api/sources": {
        /** @description List imports, files, agents and tools that live memories came from. */
        get: operations["listSources"];
    };
    "/api/sources/take-back": {
        /**
         * @description Preview what came from a source or, with `mode: execute`, take it back.
         *
         *     Its memories are forgotten and its open suggestions dropped; what is stored of its
         *     conversations is deleted, and read again when that is undone, where transcripts exist.
         *     Executing needs the `confirmToken` of a preview that still holds. It goes on in the
         *     background if it takes longer than a few seconds.
         */
        post: operations["takeBackSource"];
    };
    "/api/sources/taken-back": {
        /** @description List what was taken back, newest first. */
        get: operations["listTakenBack"];
    };
    "/api/sources/taken-back/{removal_id}/undo": {
        /**
         * @description Restore what taking a source back forgot, and reopen its suggestions.
         *
         *     Conversations are read again where their transcripts still exist.
         */
        post: operations["undoTakeBack"];
    };
    "/api/memories/facets": {
        /**
         * @description Count the memories that match the list's filters, by the values of each field.
         *
         *     A count is the size of the list with that value selected instead of another value of the
         *     same field. Tags are the exception: each selected tag narrows the list.
         */
        get: operations["countFacets"];
    };
    "/api/memories/ids": {
        /**
         * @description List the memories, live and forgotten, whose ids start with `prefix`; at most 20.
         *
         *     With `suffix`, also those whose ids end with it. An exact match is the only result.
         */
        get: operations["matchMemoryIds"];
    };
    "/api/memory/timeline": {
        /** @description Count the memories added and changed in three ranges that don't overlap. */
        get: operations["getTimeline"];
    };
    "/api/inbox/counts": {
        /** @description Count the open items. */
        get: operations["countInbox"];
    };
    "/api/inbox/{item_id}": {
        /** @description Get an item, open or done. */
        get: operations["getInboxItem"];
        /**
         * @description Decide on an item.
         *
         *     GET /api/inbox/kinds lists what each kind takes. A suggestion can be kept with another
         *     content, type or project; the words of a dropped one are never suggested again. An item that
         *     is already done is refused (409) with what was decided.
         */
        post: operations["decideInboxItem"];
    };
    "/api/inbox/bulk": {
        /** @description Decide the same on 1 to 1,000 items; each succeeds or fails alone. */
        post: operations["decideInboxItems"];
    };
    "/api/inbox": {
        /**
         * @description List items, newest first; done ones by when they were decided on.
         *
         *     `project` is a directory or a name, `session` the id of GET /api/sessions, `import` that of
         *     GET /api/imports: only what was said there is listed. An item that is decided on in the
         *     meantime moves no other one to another page.
         */
        get: operations["listInbox"];
    };
    "/api/inbox/kinds": {
        /** @description List the kinds of items, with the decisions that each takes. */
        get: operations["listInboxKinds"];
    };
    "/api/inbox/ids": {
        /**
         * @description List the items, open and done, whose ids start with `prefix`; at most 20.
         *
         *     With `suffix`, also those whose ids end with it. An exact match is the only result.
         */
        get: operations["matchInboxIds"];
    };
    "/api/inbox/undo": {
        /**
         * @description Undo the decisions on 1 to 1,000 items, which are then open again.
         *
         *     The memory of a kept suggestion is forgotten, a forgotten memory is restored, dropped words
         *     may be suggested again, merged entities are two again, a memory that was applied to all
         *     projects is one of its project again, and an agent's change that was applied or undone is
         *     not any more.
         */
        post: operations["undoInboxDecisions"];
    };
    "/api/capture": {
        /** @description Return whether capture is paused, and the latest pauses. */
        get: operations["getCapture"];
    };
    "/api/capture/since": {
        /** @description Count what capture saved, suggested and left at or after `since`, or ever. */
        get: operations["countCaptured"];
    };
    "/api/capture/pause": {
        /**
         * @description Pause capture: hooks store nothing, recall keeps working.
         *
         *     What is said during a pause is never captured, not even from transcripts read later. If
         *     capture is already paused, the pause gets the new end.
         */
        post: operations["pauseCapture"];
    };
    "/api/capture/precision": {
        /** @description Return how many of the latest captured memories the user forgot or rewrote. */
        get: operations["getCapturePrecision"];
    };
    "/api/capture/resume": {
        /** @description Resume capture; does nothing if it isn't paused. */
        post: operations["resumeCapture"];
    };
    "/api/capture/try": {
        /**
         * @description Judge a text as if you had written it to an agent; nothing is stored.
         *
         *     It says what capture would keep of it, and what the next session would be told.
         */
        post: operations["tryCapture"];
    };
    "/api/capture/review/dismiss": {
        /** @description Hide the notice about the review until the judge changes; the list stays. */
        post: operations["dismissCaptureReview"];
    };
    "/api/capture/review": {
        /**
         * @description List memories that capture saved by itself and would not save now, least sure first.
         *
         *     What you edited, pinned or decided on is not among them. With `forgotten`, list those that
         *     were forgotten in the review, and can be restored. POST /api/memory/forget and
         *     /api/memory/recover forget and restore them.
         */
        get: operations["listCaptureReview"];
    };
    "/api/capture/review/keep": {
        /**
         * @description Keep 1 to 1,000 memories: no judge lists them again. With `keep` false, undo that.
         *
         *     A memory that isn't in the review stays as it is.
         */
        post: operations["keepReviewed"];
    };
    "/api/memories/{memory_id}/evidence": {
        /**
         * @description List what the user said that a memory is based on, oldest first.
         *
         *     Works for forgotten memories too; empty for a memory that wasn't captured from a session.
         */
        get: operations["getMemoryEvidence"];
    };
    "/api/memories/{memory_id}/questions": {
        /** @description List the questions that a memory answers; empty if none were made. */
        get: operations["getMemoryQuestions"];
    };
    "/api/memories/{memory_id}/commits": {
        /**
         * @description List the commits of its project that speak of a memory, and the places that it names.
         *
         *     A commit speaks of it by its words, or by the files that it changed.
         */
        get: operations["getMemoryCommits"];
    };
    "/api/projects/detail": {
        /**
         * @description Get a project with its identity: a directory or a name, one without memories too.
         *
         *     With `global`, get what applies to all projects instead. `new` counts what was made at or
         *     after `since`.
         */
        get: operations["getProject"];
    };
    "/api/projects": {
        /**
         * @description List projects, the most recently active first; `q` is part of a name or a path.
         *
         *     Archived projects are listed only with `archived`, and then no others.
         */
        get: operations["listProjects"];
    };
    "/api/projects/places": {
        /**
         * @description List a project's memories whose files or symbols are gone, renamed or changed since.
         *
         *     With `check`, all places are checked first, unless the database is read-only: then the
         *     states that were found last are listed.
         */
        get: operations["listProjectPlaces"];
    };
    "/api/projects/settings": {
        /** @description Get the settings of a project: a directory or a name. */
        get: operations["getProjectSettings"];
        /**
         * @description Set values for a project, all or none; a null value lets the general one hold again.
         *
         *     Replies 409 with the code `confirmation_needed` if a change has a consequence that isn't
         *     `confirmed`. `undo` takes the change back.
         */
        put: operations["changeProjectSettings"];
    };
    "/api/commits/{commit_hash}": {
        /** @description Get a commit by its whole hash, with its body and the files that it changed. */
        get: operations["getCommit"];
        /**
         * @description Forget a commit: it is deleted here, and isn't read again.
         *
         *     The exact texts that showed it to sessions are deleted too.
         */
        delete: operations["forgetCommit"];
    };
    "/api/commits": {
        /**
         * @description List the commits of a project, or of all projects, newest first.
         *
         *     With `q`, list those that contain its words, best first, or whose hash begins with it.
         */
        get: operations["listCommits"];
    };
    "/api/projects/commits/read": {
        /**
         * @description Read the commits of a project that are new since they were read last.
         *
         *     Replies after three seconds at most; `reading` says that it goes on.
         */
        post: operations["readCommits"];
    };
    "/api/projects/commits": {
        /** @description Get whether a project's commits are read, how many are stored, and the last one read. */
        get: operations["getCommitReading"];
        /** @description Turn reading a project's commits on or off; turning it off deletes those stored. */
        put: operations["switchCommits"];
    };
    "/api/commits/{commit_hash}/restore": {
        /**
         * @description Read a forgotten commit again, if the repository still has it.
         *
         *     The first digits of its hash are enough.
         */
        post: operations["restoreCommit"];
    };
    "/api/hooks/user-prompt-submit": {
        /** @description Return the context to inject with a prompt. */
        post: operations["hookUserPromptSubmit"];
    };
    "/api/hooks/recall": {
        /** @description Find memories for a harness; with a session key, its ledger records the answer. */
        post: operations["hookRecall"];
    };
    "/api/hooks/remember": {
        /** @description Save a memory for a harness; does nothing while capture is paused. */
        post: operations["hookRemember"];
    };
    "/api/hooks/session-end": {
        /** @description End a session and capture memories from its transcript. */
        post: operations["hookSessionEnd"];
    };
    "/api/hooks/session-start": {
        /** @description Start a session and return the context to inject. */
        post: operations["hookSessionStart"];
    };
    "/api/hooks/native/{harness}": {
        /** @description Handle an event in the harness's own JSON and reply in the same; usually empty. */
        post: operations["hookNative"];
    };
    "/api/hooks/{name}": {
        /** @description Handle the same event at an older path, for hooks installed with it. */
        post: operations["hookNativeOlder"];
    };
    "/api/harnesses/{harness}/connect": {
        /**
         * @description Preview the changes that add hooks and tools or, with `mode: apply`, make them.
         *
         *     `token` is the preview's. If the settings have changed since, nothing is written (409).
         */
        post: operations["connectHarness"];
    };
    "/api/harnesses/{harness}/disconnect": {
        /**
         * @description Preview the changes that remove hooks and tools or, with `mode: apply`, make them.
         *
         *     `token` is the preview's. If the settings have changed since, nothing is written (409).
         */
        post: operations["disconnectHarness"];
    };
    "/api/harnesses": {
        /**
         * @description List the harnesses that can be connected, with connection state and last hook.
         *
         *     `mcp` is for the settings of any other MCP client.
         */
        get: operations["listHarnesses"];
    };
    "/api/harnesses/{harness}/test": {
        /**
         * @description Run the harness's own hook as its settings have it, and say whether it gets here.
         *
         *     Nothing of it is stored. It takes up to ten seconds, and one test runs at a time.
         */
        post: operations["testHarness"];
    };
    "/api/harnesses/versions": {
        /** @description Ask the harnesses' programs for their versions; each is asked once until it changes. */
        get: operations["listHarnessVersions"];
    };
    "/api/imports/{import_id}/cancel": {
        /**
         * @description Stop an import after what it is reading; what was imported stays.
         *
         *     One that is over stays as it is.
         */
        post: operations["cancelImport"];
    };
    "/api/imports": {
        /** @description List the last 50 imports, newest first. */
        get: operations["listImports"];
        /**
         * @description Start an import in the background; it goes on after a restart.
         *
         *     409 while another one runs, 404 for a source that isn't listed.
         */
        post: operations["startImport"];
    };
    "/api/imports/{import_id}": {
        /** @description Return an import with its progress; the topic `imports` says when it changes. */
        get: operations["getImport"];
    };
    "/api/imports/preview": {
        /**
         * @description Estimate what an import would keep, from the newest sessions; nothing is saved.
         *
         *     It judges up to 40 sessions for up to 10 seconds, and returns up to 20 of their lines. 404
         *     for a source that isn't listed.
         */
        post: operations["previewImport"];
    };
    "/api/imports/{import_id}/sessions": {
        /** @description List the sessions of an import with what became of each, newest first. */
        get: operations["listImportedSessions"];
    };
    "/api/imports/sources": {
        /**
         * @description List what can be imported: each harness's transcripts on this machine, and uploads.
         *
         *     Sessions that are open, that were imported or captured already, or that you took back are
         *     not counted. Looking takes about a millisecond a session.
         */
        get: operations["listImportSources"];
    };
    "/api/git/config": {
        /** @description Return how the workspace's repository is kept. */
        get: operations["getGitConfig"];
        /**
         * @description Change how it is kept. Unlike Signet's, the change is written to the settings file.
         *
         *     A value out of bounds is refused (400), and what can't be the name of a remote or a branch.
         */
        post: operations["changeGitConfig"];
    };
    "/api/git/pull": {
        /**
         * @description Fetch the remote's branch and fast-forward to it; nothing is merged.
         *
         *     Changes that aren't committed stay: where the new commits touch them, they are stashed and
         *     put back.
         */
        post: operations["pullWorkspace"];
    };
    "/api/git/push": {
        /** @description Push the workspace's branch, never by force. */
        post: operations["pushWorkspace"];
    };
    "/api/git/status": {
        /**
         * @description Return how the workspace's repository stands; nothing is fetched.
         *
         *     `problem` says what keeps it from being committed or synced, or what was left out.
         */
        get: operations["getGitStatus"];
    };
    "/api/git/sync": {
        /** @description Pull, then push what the remote lacks. */
        post: operations["syncWorkspaceGit"];
    };
    "/api/workspace/conflicts/{item}": {
        /** @description Return both texts of an edited block, by the id of its inbox item. */
        get: operations["getWorkspaceConflict"];
    };
    "/api/workspace/targets/{target}": {
        /** @description Show what a sync would change in a target's file. */
        get: operations["previewSync"];
        /**
         * @description Switch a target on or off; off takes the block out of its file.
         *
         *     `project:` and a project's folder switches its own files on, which no other target does.
         */
        post: operations["switchSync"];
    };
    "/api/harnesses/regenerate": {
        /** @description Write the workspace's files to the harnesses' files of instructions, as syncing does. */
        post: operations["regenerateHarnesses"];
    };
    "/api/workspace/sync": {
        /** @description Sync now. */
        post: operations["syncWorkspace"];
    };
    "/api/workspace": {
        /** @description Return the workspace's files, and the state of each file that they are written to. */
        get: operations["getWorkspace"];
    };
    "/api/imports/uploads/{upload}": {
        /** @description Return how far an upload is. */
        get: operations["getUpload"];
        /**
         * @description Send the bytes from `offset` on, which is how many have arrived, at most 8 MB at once.
         *
         *     After the last part, the file is read: GET the upload until it has a `source` or a
         *     `problem`.
         */
        put: operations["sendUploadPart"];
        /** @description Delete an upload, whether it is complete or not; what was imported of it stays. */
        delete: operations["deleteUpload"];
    };
    "/api/imports/uploads": {
        /** @description Begin the upload of an export: its zip file, or the JSON file in it, up to 4 GB. */
        post: operations["beginUpload"];
    };
    "/api/sessions/{session_id}/considered/{statement_id}/keep": {
        /**
         * @description Save a statement as a memory that capture neither kept nor offered.
         *
         *     Forgetting the memory undoes it.
         */
        post: operations["keepConsideredStatement"];
    };
    "/api/sessions/preview": {
        /**
         * @description Preview what the next session of a project would be told; writes nothing.
         *
         *     `harness` is the one that starts the session, by default the project's last one.
         *     `settings` are used instead of those in use, by dotted key. One that can't change what is
         *     told is listed in `withoutEffect`; an unknown or secret one, or a bad value, is refused.
         */
        post: operations["previewSession"];
    };
    "/api/sessions/{session_id}": {
        /**
         * @description Get what a session was told, asked and led to; it is named by `id` or `key`.
         *
         *     The prompts are read from the harness's transcript; at most 500 prompts, and 200 hook calls.
         */
        get: operations["getSession"];
    };
    "/api/sessions": {
        /**
         * @description List sessions, the latest active first.
         *
         *     With `q`, list those that match best: by their title, by what was said in them, by what
         *     they led to, and by what their prompts were told. A search has one page.
         *
         *
         *     `project` is a directory or a name, `globalOnly` selects sessions without a project. `since`
         *     and `until` limit the time of the last activity; a day such as 2026-01-31 is the whole day
         *     on this machine's clock. `memory` selects the sessions that were sent this memory, or led to
         *     it. An agent sees its own sessions only. The user sees all: a signed-in browser, and the
         *     installation's token in a request that names no agent.
         */
        get: operations["listSessions"];
    };
    "/api/start-at-login": {
        /** @description Return whether the tray app starts when you log in; 409 if that can't be told. */
        get: operations["getStartAtLogin"];
        /** @description Switch start at login on or off; 409 if the system's entries can't be written. */
        put: operations["switchStartAtLogin"];
    };
    "/api/statistics.csv": {
        /** @description Return the counts as CSV: a row for each day, project, type and origin. */
        get: operations["exportStatistics"];
    };
    "/api/statistics": {
        /**
         * @description Return what was learned, told and used in the last days, for all projects or one.
         *
         *     They are counts of everything, whichever agent may read it, and so for you only.
         */
        get: operations["readStatistics"];
    };
    "/api/repair/retention-sweep": {
        /** @description Return the retention periods, the last sweep, and when the next one is due. */
        get: operations["getRetention"];
        /** @description Delete now what is past its retention period, or only count it. */
        post: operations["sweepRetention"];
    };
    "/api/clock/confirm": {
        /** @description Confirm that the clock is right after a jump; expired data is deleted as usual. */
        post: operations["confirmClock"];
    };
    "/api/sessions/{session_id}/forget": {
        /**
         * @description Preview what forgetting a session removes or, with `mode: execute`, forget it.
         *
         *     Its memories are forgotten and can be restored; its open suggestions are dropped, which can
         *     be undone in the inbox. What is stored of its transcript is deleted; undoing all of it, as
         *     of any source that was taken back, reads it again. Executing needs the `confirmToken` of a
         *     preview that still holds.
         */
        post: operations["forgetSession"];
    };
    "/api/sessions/{session_id}/bypass": {
        /**
         * @description Switch a session off (`enabled`) or on again; it is named by `id` or `key`.
         *
         *     While it is off, it is told nothing, nothing of it is kept, and nothing that is said in it
         *     is kept later. An agent may switch its own sessions off, and on again what it switched off
         *     itself (403 if the user did). The user is a signed-in browser, and the installation's token
         *     in a request that names no agent.
         */
        post: operations["bypassSession"];
    };
    "/api/sessions/summaries": {
        /**
         * @description List summaries of sessions, the latest active session first.
         *
         *     By the model that reads sessions, by agents at a compaction, and by rules at a session's
         *     end. `project` is a directory or a name. All have depth 0: no summary is made of summaries.
         *     An agent sees those of its own sessions only.
         */
        get: operations["listSessionSummaries"];
    };
    "/api/checkpoints": {
        /**
         * @description List the latest checkpoints of a project's sessions.
         *
         *     `project` is a directory or a name. An agent sees those of its own sessions only.
         */
        get: operations["listCheckpoints"];
    };
    "/api/checkpoints/{session_key}": {
        /**
         * @description List the latest checkpoints of a session, named by its harness's id.
         *
         *     With `harness`, only of that harness's session. An agent sees those of its own sessions.
         */
        get: operations["listSessionCheckpoints"];
    };
    "/api/hooks/compaction-complete": {
        /**
         * @description Keep an agent's summary of its conversation, as the agent's words.
         *
         *     It isn't kept if capture was paused or off at any time of the session, or the session
         *     switched off: it tells all that was said. Nor is it kept without a project, as it would be
         *     recalled in all. What the session was told may be told again.
         */
        post: operations["hookCompactionComplete"];
    };
    "/api/hooks/pre-compaction": {
        /** @description Return what the model that writes the summary is asked, and note where it stands. */
        post: operations["hookPreCompaction"];
    };
    "/api/pipeline/prompts": {
        /**
         * @description Show the exact requests to a language model that reading a session would cause.
         *
         *     `session` is the id of a session. Nothing is called, and it doesn't matter whether a model
         *     is configured. A later request of a long session holds a placeholder for the summary that
         *     the reply before would give.
         */
        get: operations["showPrompts"];
    };
    "/api/projects/changes": {
        /** @description List the latest changes of whole projects, newest first. */
        get: operations["listProjectChanges"];
        /**
         * @description Move, merge, rename or archive a project, or with `preview` tell what would happen.
         *
         *     Everything of it moves: memories, forgotten ones, sessions, inbox items and entities.
         */
        post: operations["changeProject"];
    };
    "/api/projects/moves": {
        /** @description List projects whose directory may have moved, and moves that were detected lately. */
        get: operations["listProjectMoves"];
    };
    "/api/projects/changes/undo": {
        /**
         * @description Undo a change, or the latest one.
         *
         *     What was moved goes back if it still is where it was put; what was added since stays.
         */
        post: operations["undoProjectChange"];
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Acknowledged: {
            /** @default true */
            success?: boolean;
        };
        ActorCounts: {
            requests: number;
            remembers: number;
            recalls: number;
            mutations: number;
        };
        AddAgentRequest: {
            id: string;
            name?: string | null;
            description?: string | null;
            /** @enum {null|string} */
            read_policy?: "isolated" | "shared" | "group" | null;
            policy_group?: string | null;
        };
        AddAliasRequest: {
            alias: string;
        };
        AgentHealthRow: {
            harness: string;
            label: string;
            state: string;
            isInstalled: boolean;
            tools: string;
            lastEventAt: string | null;
            lastKind: string | null;
            failed: number;
            slow: number;
            line: string;
        };
        AgentList: {
            agents: components["schemas"]["AgentRow"][];
            count: number;
        };
        AgentRow: {
            id: string;
            name: string;
            description: string | null;
            /** @enum {string} */
            read_policy: "isolated" | "shared" | "group";
            policy_group: string | null;
            /** @enum {string} */
            source: "roster" | "seen" | "api";
            is_default: boolean;
            created_at: string;
            updated_at: string;
            archived_at: string | null;
            last_seen_at: string | null;
            memories: components["schemas"]["MemoryCounts"];
        };
        AliasList: {
            items: components["schemas"]["AliasRow"][];
        };
        AliasRow: {
            id: string;
            alias: string;
            /** @enum {string} */
            origin: "text" | "lexicon" | "user";
            mentions: number;
        };
        AskedPrompt: {
            messageId: string;
            at: string | null;
            text: string;
        };
        AspectItem: {
            aspect: components["schemas"]["AspectRow"];
            attributeCount: number;
            constraintCount: number;
        };
        AspectList: {
            items: components["schemas"]["AspectItem"][];
            unclassified: number;
        };
        AspectRow: {
            id: string;
            entityId: string;
            agentId: string;
            name: string;
            canonicalName: string;
            weight: number;
            createdAt: string;
            updatedAt: string;
        };
        AssignedFactCounts: {
            entity: number;
            project: number;
            user: number;
            low: number;
            medium: number;
            high: number;
            byLinker: number;
            byClassifier: number;
            byUser: number;
        };
        AttributeChange: {
            status?: "active" | "superseded" | "deleted";
            kind?: "attribute" | "constraint";
            aspect?: string;
        };
        AttributeList: {
            items: components["schemas"]["AttributeRow"][];
            limit: number;
            offset: number;
        };
        AttributeRow: {
            id: string;
            aspectId: string | null;
            agentId: string;
            memoryId: string | null;
            /** @enum {string} */
            kind: "attribute" | "constraint";
            content: string;
            normalizedContent: string;
            confidence: number;
            importance: number;
            /** @enum {string} */
            status: "active" | "superseded" | "deleted";
            supersededBy: string | null;
            createdAt: string;
            updatedAt: string;
            /** @enum {string} */
            origin: "linker" | "classifier" | "user";
            type: string;
            mark: string;
        };
        BackfillState: {
            running: boolean;
            done: number;
            left: number;
            uncertain: number;
            failed: number;
        };
        BackgroundCounts: {
            classified: number;
            uncertain: number;
            dependencies: number;
        };
        BackupHealth: {
            count: number;
            newest: string | null;
            newestAt: string | null;
            newestBytes: number;
            testedAt: string | null;
            testResult: string;
            testText: string;
        };
        BackupList: {
            backups: components["schemas"]["BackupRow"][];
            /** @default false */
            missing?: boolean;
        };
        BackupRow: {
            name: string;
            bytes: number;
            created_at: string;
            memories?: number | null;
            /** @default false */
            in_future?: boolean;
            /** @default false */
            rescued?: boolean;
        };
        BackupTestReply: {
            name: string;
            tested_at: string;
            passed: boolean;
            text: string;
            memories: number;
        };
        BatchForgetReply: {
            mode: string;
            success: boolean;
            requested: number;
            deleted: number;
            results: components["schemas"]["ItemReply"][];
            /** @default false */
            erased?: boolean;
            outside?: string[] | null;
        };
        BatchForgetRequest: {
            /** @default preview */
            mode?: string;
            query?: string | null;
            ids?: string[] | null;
            type?: string | null;
            tags?: string | string[] | null;
            who?: string | null;
            source_type?: string | null;
            project?: string | null;
            since?: string | null;
            until?: string | null;
            /** @default 20 */
            limit?: number;
            /** @default  */
            reason?: string;
            /** @default false */
            force?: boolean;
            confirm_token?: string | null;
            if_version?: unknown;
            if_versions?: {
                [key: string]: number;
            } | null;
            agentId?: string | null;
            changed_by?: string | null;
        };
        BatchModifyReply: {
            success: boolean;
            total: number;
            updated: number;
            results: components["schemas"]["ItemReply"][];
        };
        BatchModifyRequest: {
            patches?: unknown[];
            /** @default  */
            reason?: string;
            changed_by?: string | null;
            agentId?: string | null;
        };
        BatchRecoverReply: {
            success: boolean;
            requested: number;
            recovered: number;
            results: components["schemas"]["ItemReply"][];
        };
        BatchRecoverRequest: {
            ids?: string[];
            /** @default  */
            reason?: string;
            if_versions?: {
                [key: string]: number;
            } | null;
            agentId?: string | null;
            changed_by?: string | null;
        };
        BrowserSandbox: {
            /** @enum {string} */
            kind: "snap" | "flatpak";
            app: string;
        };
        Bucket: {
            eraIndex: number;
            rangeKey: string;
            label: string;
            start: string;
            end: string;
            memoriesAdded: number;
            trackedEvents: number;
            evolved: number;
            strengthened: number;
            recovered: number;
            avgImportance: number;
            pinned: number;
            typeBreakdown: components["schemas"]["KeyCount"][];
            sourceBreakdown: components["schemas"]["KeyCount"][];
            topTags: components["schemas"]["KeyCount"][];
        };
        BulkDecisionRequest: {
            ids: string[];
            /** @enum {string} */
            action: "merge" | "keep_apart" | "still_right" | "forget_stale" | "apply" | "reject" | "keep_changes" | "undo_changes" | "keep" | "drop" | "keep_both" | "newer_wins" | "all_projects" | "this_project" | "holds" | "use_workspace" | "take_edit";
            agentId?: string | null;
        };
        BypassReply: {
            key: string;
            bypassed: boolean;
        };
        BypassRequest: {
            enabled: boolean;
        };
        CapturePrecisionReply: {
            lines: number;
            forgotten: number;
            edited: number;
            precision: number | null;
        };
        CaptureReply: {
            paused: boolean;
            since: string | null;
            until: string | null;
            pauses: components["schemas"]["PauseRow"][];
        };
        CaptureReviewKeepRequest: {
            ids: string[];
            /** @default true */
            keep?: boolean;
        };
        CaptureReviewKept: {
            requested: number;
            changed: number;
        };
        CaptureReviewList: {
            items: components["schemas"]["CaptureReviewRow"][];
            cursor: string | null;
            total: number;
            judge: string;
            reviewing: boolean;
            dismissed: boolean;
        };
        CaptureReviewRow: {
            id: string;
            content: string;
            type: string;
            project: string | null;
            agent: string;
            created: string;
            version: number;
            confidence: number;
            reason: string | null;
            evidence: components["schemas"]["InboxEvidence"];
            context: string;
        };
        CaptureStatus: {
            paused: boolean;
            since?: string | null;
            until?: string | null;
        };
        CaptureTrialReply: {
            statements: components["schemas"]["TriedStatementRow"][];
            told: string;
        };
        CaptureTrialRequest: {
            text: string;
            project?: string | null;
        };
        CapturedSince: {
            since: string | null;
            kept: number;
            suggested: number;
            considered: number;
            sessionEndedAt: string | null;
            saved?: components["schemas"]["SavedLineRow"][];
        };
        ChangeAgentRequest: {
            name?: string | null;
            description?: string | null;
            /** @enum {null|string} */
            read_policy?: "isolated" | "shared" | "group" | null;
            policy_group?: string | null;
        };
        ChangeGroup: {
            title: string;
            items: components["schemas"]["ChangeRow"][];
        };
        ChangeRow: {
            title: string;
            text: string;
        };
        ChangelogReply: {
            currentVersion: string;
            releases: components["schemas"]["ReleaseRow"][];
        };
        CheckRow: {
            name: string;
            title: string;
            reads: string;
            result: string;
            checkedAt: string | null;
        };
        CheckpointList: {
            checkpoints: components["schemas"]["CheckpointRow"][];
            count: number;
        };
        CheckpointRow: {
            id: string;
            session_key: string;
            harness: string;
            project: string | null;
            project_normalized: string | null;
            /** @enum {string} */
            trigger: "periodic" | "pre_compaction" | "compaction" | "session_end";
            digest: string;
            prompt_count: number;
            memory_queries: string | null;
            recent_remembers: string | null;
            created_at: string;
            focal_entity_ids: string | null;
            focal_entity_names: string | null;
            active_aspect_ids: string | null;
            surfaced_constraint_count: number;
            traversal_memory_count: number;
        };
        ClockStatus: {
            aheadS: number;
            resumesInS: number;
        };
        ColdStats: {
            count: number;
            oldest: string | null;
            newest: string | null;
            totalBytes: number;
            byReason: {
                [key: string]: number;
            };
        };
        CommitDetail: {
            project: string;
            hash: string;
            committedAt: string;
            /** @enum {string} */
            kind: "commit" | "merge" | "revert";
            reverts: string | null;
            author: string | null;
            subject: string;
            excerpt: string;
            body: string;
            files: string[];
        };
        CommitList: {
            commits: components["schemas"]["CommitRow"][];
            cursor: string | null;
        };
        CommitReadRequest: {
            project: string;
        };
        CommitReading: {
            project: string;
            enabled: boolean;
            choice: boolean | null;
            commits: number;
            forgotten: number;
            head: string | null;
            readAt: string | null;
            stopped: string;
            reading: boolean;
        };
        CommitRow: {
            project: string;
            hash: string;
            committedAt: string;
            /** @enum {string} */
            kind: "commit" | "merge" | "revert";
            reverts: string | null;
            author: string | null;
            subject: string;
            excerpt: string;
        };
        CommitSwitchRequest: {
            project: string;
            enabled: boolean | null;
        };
        CompactionCompleteReply: {
            /** @default true */
            success?: boolean;
            /** @default  */
            memoryId?: string;
            /** @default false */
            bypassed?: boolean;
        };
        CompactionCompleteRequest: {
            /** @default  */
            harness?: string;
            /** @default  */
            summary?: string;
            sessionKey?: string | null;
            project?: string | null;
            agentId?: string | null;
            runtimePath?: string | null;
        };
        ComparedCommit: {
            project: string;
            hash: string;
            at: string;
            subject: string;
            score: number;
            floor: number;
            shown: boolean;
            reason: string;
            tokens: number;
        };
        ComparedSession: {
            id: string;
            harness: string;
            title: string;
            at: string;
            score: number;
            floor: number;
            shown: boolean;
            reason: string;
        };
        CompositeRow: {
            score: number;
            /** @enum {string} */
            status: "healthy" | "degraded" | "unhealthy";
        };
        ConfigFile: {
            name: string;
            content: string;
            size: number;
        };
        ConfigFiles: {
            files: components["schemas"]["ConfigFile"][];
        };
        ConfigWrite: {
            file?: unknown;
            content?: unknown;
        };
        ConfigWritten: {
            /** @default true */
            success?: boolean;
        };
        ConnectionPreview: {
            path: string;
            exists: boolean;
            changes: boolean;
            diff: string;
            notes: string[];
            tools: components["schemas"]["ToolsPreview"] | null;
            token: string;
        };
        ConnectionRequest: {
            /** @enum {string} */
            mode: "preview" | "apply";
            token?: string | null;
            tools?: boolean | null;
        };
        ConnectionResult: {
            path: string;
            changed: boolean;
            backup: string | null;
            notes: string[];
        };
        ConnectorCounts: {
            syncs: number;
            errors: number;
            documentsProcessed: number;
        };
        ConnectorDiagnostics: {
            score: number;
            /** @enum {string} */
            status: "healthy" | "degraded" | "unhealthy";
            /** @default 0 */
            connectorCount?: number;
            /** @default 0 */
            syncingCount?: number;
            /** @default 0 */
            errorCount?: number;
            /** @default 0 */
            oldestErrorAge?: number;
        };
        ConsideredStatement: {
            id: number;
            messageId: string;
            start: number;
            at: string | null;
            sentence: string;
            content: string;
            type: string;
            confidence: number;
        };
        Constellation: {
            entities: components["schemas"]["ConstellationEntity"][];
            dependencies: components["schemas"]["ConstellationDependency"][];
        };
        ConstellationAspect: {
            id: string;
            name: string;
            weight: number;
            attributes: components["schemas"]["ConstellationAttribute"][];
        };
        ConstellationAttribute: {
            id: string;
            content: string;
            /** @enum {string} */
            kind: "attribute" | "constraint";
            importance: number;
            memoryId: string | null;
        };
        ConstellationDependency: {
            sourceEntityId: string;
            targetEntityId: string;
            /** @enum {string} */
            dependencyType: "uses" | "requires" | "owned_by" | "blocks" | "informs" | "part_of" | "related_to";
            strength: number;
        };
        ConstellationEntity: {
            id: string;
            name: string;
            /** @enum {string} */
            entityType: "person" | "organization" | "project" | "system" | "service" | "component" | "tool" | "language" | "format" | "file" | "config" | "concept" | "skill" | "task" | "unknown";
            mentions: number;
            pinned: boolean;
            position: [
                number,
                number
            ] | null;
            position3D: [
                number,
                number,
                number
            ] | null;
            aspects: components["schemas"]["ConstellationAspect"][];
        };
        ContextPreview: {
            text: string;
            tokens: number;
            budget: number;
            characters: number;
            maxCharacters: number;
            sessions: components["schemas"]["PreviewSession"][];
            commits: components["schemas"]["PreviewCommit"][];
            lines: components["schemas"]["PreviewLine"][];
            leftOut: components["schemas"]["PreviewLine"][];
            heldBack: number;
        };
        ContinuityReply: {
            scores: components["schemas"]["ContinuityRow"][];
            summary: components["schemas"]["ContinuitySummary"];
        };
        ContinuityRow: {
            id: string;
            session_key: string;
            project: string | null;
            harness: string;
            score: number;
            memories_recalled: number;
            memories_rated: number;
            memories_used: number;
            created_at: string;
        };
        ContinuitySummary: {
            count: number;
            average: number;
            trend: number;
            latest: number | null;
        };
        CountedFigures: {
            learned: number;
            forgotten: number;
            retired: number;
            restored: number;
            entities: number;
            sessions: number;
            told: number;
            toldTokens: number;
            searches: number;
            found: number;
            kept: number;
            suggested: number;
            dropped: number;
            usedTold: number;
            usedFound: number;
        };
        DaemonProof: {
            port: number;
            token: string;
            hookToken: string;
        };
        DecisionList: {
            requested: number;
            changed: number;
            results: components["schemas"]["ItemDecision"][];
        };
        DecisionRequest: {
            /** @enum {string} */
            action: "merge" | "keep_apart" | "still_right" | "forget_stale" | "apply" | "reject" | "keep_changes" | "undo_changes" | "keep" | "drop" | "keep_both" | "newer_wins" | "all_projects" | "this_project" | "holds" | "use_workspace" | "take_edit";
            content?: string;
            type?: string;
            project?: string | null;
            agentId?: string | null;
        };
        DedupStats: {
            exactClusters: number;
            exactExcess: number;
            totalActive: number;
        };
        DependencyList: {
            items: components["schemas"]["DependencyRow"][];
        };
        DependencyRow: {
            id: string;
            /** @enum {string} */
            direction: "incoming" | "outgoing";
            /** @enum {string} */
            dependencyType: "uses" | "requires" | "owned_by" | "blocks" | "informs" | "part_of" | "related_to";
            strength: number;
            aspectId: string | null;
            sourceEntityId: string;
            sourceEntityName: string;
            targetEntityId: string;
            targetEntityName: string;
            createdAt: string;
            updatedAt: string;
        };
        DetectedModels: {
            found: boolean;
            provider: string;
            address: string;
            models: string[];
            suggestion: string;
        };
        DetectedMove: {
            id: string;
            project: string;
            target: string;
            memories: number;
            movedAt: string;
            returned: boolean;
        };
        Diagnostics: {
            timestamp: string;
            composite: components["schemas"]["CompositeRow"];
            queue: components["schemas"]["QueueDiagnostics"];
            storage: components["schemas"]["StorageDiagnostics"];
            index: components["schemas"]["IndexDiagnostics"];
            provider: components["schemas"]["ProviderDiagnostics"];
            mutation: components["schemas"]["MutationDiagnostics"];
            duplicate: components["schemas"]["DuplicateDiagnostics"];
            connector: components["schemas"]["ConnectorDiagnostics"];
            update: components["schemas"]["UpdateDiagnostics"];
            predictor: components["schemas"]["PredictorDiagnostics"];
            own: {
                [key: string]: components["schemas"]["OwnDiagnostics"];
            };
        };
        DomainRow: {
            /** @enum {string} */
            name: "queue" | "storage" | "index" | "provider" | "mutation" | "connector" | "duplicate" | "update" | "predictor" | "agents" | "capture" | "context" | "disk" | "process" | "clock" | "backups" | "models" | "workspace";
            title: string;
            weight: number;
            score: number;
            /** @enum {string} */
            status: "healthy" | "degraded" | "unhealthy";
            line: string;
            figures: components["schemas"]["FigureRow"][];
            checks: components["schemas"]["CheckRow"][];
            trend: (number | null)[];
        };
        DuplicateDiagnostics: {
            score: number;
            /** @enum {string} */
            status: "healthy" | "degraded" | "unhealthy";
            /** @default 0 */
            exactDuplicates?: number;
            /** @default 0 */
            exactClusters?: number;
            /** @default 0 */
            totalActive?: number;
            /** @default 0 */
            duplicateRatio?: number;
        };
        EmbeddingPage: {
            embeddings: components["schemas"]["EmbeddingRow"][];
            count: number;
            total: number;
            limit: number;
            offset: number;
            hasMore: boolean;
        };
        EmbeddingRow: {
            id: string;
            content: string;
            text: string;
            who: string;
            importance: number;
            type: string;
            tags: string[];
            sourceType: string;
            sourceId: string | null;
            createdAt: string;
            vector: number[] | null;
        };
        EmbeddingStatus: {
            provider: string;
            model: string;
            dimensions: number;
            available: boolean;
            phase: string;
            detail: string;
            embedded: number;
            total: number;
            pending: number;
            dead: number;
            searchedMeanwhile: string;
            lateInteraction: boolean;
            indexMethod: string;
            indexVectors: number;
            indexWaiting: number;
            indexCandidates: number;
            indexBytes: number;
            indexRecall: number | null;
        };
        EmptyDatabaseReply: {
            /** @enum {string} */
            state: "ready" | "checking" | "degraded";
        };
        EndpointCounts: {
            count: number;
            errors: number;
            totalLatencyMs: number;
        };
        EntityChangeList: {
            items: components["schemas"]["EntityChangeRow"][];
        };
        EntityChangeReply: {
            changeId: string | null;
            entity: components["schemas"]["EntityRow"];
        };
        EntityChangeRow: {
            id: string;
            /** @enum {string} */
            kind: "merge" | "split" | "rename" | "retype" | "add_alias" | "remove_alias";
            summary: string;
            createdAt: string;
            undoneAt: string | null;
        };
        EntityDetail: {
            entity: components["schemas"]["EntityRow"];
            aspectCount: number;
            attributeCount: number;
            constraintCount: number;
            dependencyCount: number;
            structuralDensity: components["schemas"]["StructuralDensity"];
            incomingDependencyCount: number;
            outgoingDependencyCount: number;
            merged: components["schemas"]["EntityReference"][];
        };
        EntityHealth: {
            entityId: string;
            entityName: string;
            comparisons: number;
            winRate: number;
        };
        EntityList: {
            items: components["schemas"]["EntityListItem"][];
            limit: number;
            offset: number;
            total: number;
            types: components["schemas"]["EntityTypeCount"][];
        };
        EntityListItem: {
            entity: components["schemas"]["EntityRow"];
            aspectCount: number;
            attributeCount: number;
            constraintCount: number;
            dependencyCount: number;
        };
        EntityMemory: {
            id: string;
            content: string;
            type: string;
            project: string | null;
            createdAt: string;
            mentions: components["schemas"]["MentionSpan"][];
            /** @enum {null|string} */
            kind: "attribute" | "constraint" | null;
            aspect: string | null;
            /** @enum {null|string} */
            basis: "pinned" | "confirmed" | "outright" | null;
            mark: string;
        };
        EntityMemoryList: {
            items: components["schemas"]["EntityMemory"][];
            cursor: string | null;
        };
        EntityPatch: {
            name?: string;
            entityType?: "person" | "organization" | "project" | "system" | "service" | "component" | "tool" | "language" | "format" | "file" | "config" | "concept" | "skill" | "task" | "unknown";
            description?: string | null;
            weightOverride?: number | null;
        };
        EntityReference: {
            id: string;
            name: string;
            /** @enum {string} */
            entityType: "person" | "organization" | "project" | "system" | "service" | "component" | "tool" | "language" | "format" | "file" | "config" | "concept" | "skill" | "task" | "unknown";
        };
        EntityRow: {
            id: string;
            name: string;
            canonicalName: string;
            /** @enum {string} */
            entityType: "person" | "organization" | "project" | "system" | "service" | "component" | "tool" | "language" | "format" | "file" | "config" | "concept" | "skill" | "task" | "unknown";
            agentId: string;
            description: string | null;
            mentions: number;
            pinned: boolean;
            pinnedAt: string | null;
            createdAt: string;
            updatedAt: string;
            project: string | null;
            projectName: string | null;
            /** @enum {string} */
            origin: "linker" | "classifier" | "user";
            suppressed: boolean;
            weightOverride: number | null;
            pinReason: string | null;
        };
        EntityTypeCount: {
            /** @enum {string} */
            type: "person" | "organization" | "project" | "system" | "service" | "component" | "tool" | "language" | "format" | "file" | "config" | "concept" | "skill" | "task" | "unknown";
            count: number;
        };
        ErrorRow: {
            timestamp: string;
            stage: string;
            code: string;
            message: string;
            requestId?: string;
            memoryId?: string;
            actor?: string;
        };
        ErrorsReply: {
            errors: components["schemas"]["ErrorRow"][];
            summary: {
                [key: string]: number;
            };
        };
        EvidenceReply: {
            items: components["schemas"]["InboxEvidence"][];
        };
        ExpandReply: {
            entity: components["schemas"]["ExpandedEntity"];
            constraints: components["schemas"]["ExpandedConstraint"][];
            aspects: components["schemas"]["ExpandedAspect"][];
            dependencies: components["schemas"]["ExpandedDependency"][];
            memoryCount: number;
            memories: components["schemas"]["ExpandedMemory"][];
        };
        ExpandRequest: {
            /** @default  */
            entity?: string;
            aspect?: string | null;
            question?: string | null;
            /** @default 2000 */
            maxTokens?: number;
            project?: string | null;
        };
        ExpandedAspect: {
            name: string;
            weight: number;
            attributes: components["schemas"]["ExpandedAttribute"][];
        };
        ExpandedAttribute: {
            content: string;
            /** @enum {string} */
            kind: "attribute" | "constraint";
            importance: number;
            confidence: number;
        };
        ExpandedConstraint: {
            entityName: string;
            content: string;
            importance: number;
        };
        ExpandedDependency: {
            target: string;
            /** @enum {string} */
            type: "uses" | "requires" | "owned_by" | "blocks" | "informs" | "part_of" | "related_to";
            strength: number;
        };
        ExpandedEntity: {
            id: string;
            name: string;
            /** @enum {string} */
            type: "person" | "organization" | "project" | "system" | "service" | "component" | "tool" | "language" | "format" | "file" | "config" | "concept" | "skill" | "task" | "unknown";
            description: string | null;
        };
        ExpandedMemory: {
            id: string;
            content: string;
        };
        Facets: {
            type: components["schemas"]["NameCount"][];
            project: components["schemas"]["NameCount"][];
            agent: components["schemas"]["NameCount"][];
            visibility: components["schemas"]["NameCount"][];
            who: components["schemas"]["NameCount"][];
            tags: components["schemas"]["NameCount"][];
            source_type: components["schemas"]["NameCount"][];
            pinned: components["schemas"]["FlagCount"][];
            importance: components["schemas"]["ScoreCount"][];
        };
        FacetsReply: {
            total: number;
            facets: components["schemas"]["Facets"];
        };
        FailedCallRow: {
            at: string;
            stage: string;
            outcome: string;
            detail: string;
        };
        FeedbackReply: {
            ok: boolean;
            recorded: number;
        };
        FeedbackRequest: {
            sessionKey: string;
            feedback: {
                [key: string]: unknown;
            };
            agentId?: string | null;
        };
        FigureRow: {
            name: string;
            label: string;
            value: number | string | boolean | null;
            /**
             * @default
             * @enum {string}
             */
            unit?: "" | "bytes" | "s" | "ms" | "hours" | "share" | "moment";
        };
        FindReply: {
            groups: components["schemas"]["FoundGroup"][];
        };
        FlagCount: {
            value: boolean;
            count: number;
        };
        FocalEntityRow: {
            id: string;
            name: string;
            /** @enum {string} */
            entityType: "person" | "organization" | "project" | "system" | "service" | "component" | "tool" | "language" | "format" | "file" | "config" | "concept" | "skill" | "task" | "unknown";
            /** @enum {string} */
            source: "checkpoint" | "project" | "query" | "session_key" | "pinned";
        };
        ForgetCandidate: {
            id: string;
            score: number;
            pinned: boolean;
            version: number;
            content: string;
        };
        ForgetPreview: {
            mode: string;
            success: boolean;
            count: number;
            requiresConfirm: boolean;
            confirmToken: string;
            candidates: components["schemas"]["ForgetCandidate"][];
        };
        ForgetRequest: {
            /** @default  */
            reason?: string;
            /** @default false */
            force?: boolean;
            if_version?: number | null;
            changed_by?: string | null;
            agentId?: string | null;
        };
        ForgottenCommit: {
            project: string;
            hash: string;
        };
        FoundGroup: {
            /** @enum {string} */
            kind: "memory" | "entity" | "session" | "inbox" | "project" | "commit";
            items: components["schemas"]["FoundItem"][];
            more: boolean;
        };
        FoundItem: {
            /** @enum {string} */
            kind: "memory" | "entity" | "session" | "inbox" | "project" | "commit";
            id: string;
            title: string;
            text: string;
            detail: string;
            words: string[];
            /** @enum {string} */
            state: "open" | "decided" | "";
            project: string | null;
            at: string | null;
            score: number;
        };
        GapsReply: {
            unembedded: number;
            total: number;
            coverage: string;
        };
        GitConfig: {
            enabled: boolean;
            autoCommit: boolean;
            autoSync: boolean;
            syncInterval: number;
            remote: string;
            branch: string;
        };
        GitConfigChange: {
            enabled?: boolean | null;
            autoCommit?: boolean | null;
            autoSync?: boolean | null;
            syncInterval?: number | null;
            remote?: string | null;
            branch?: string | null;
        };
        GitConfigResult: {
            success: boolean;
            config: components["schemas"]["GitConfig"];
        };
        GitResult: {
            success: boolean;
            message: string;
            changes?: number | null;
        };
        GitStatus: {
            isRepo: boolean;
            hasCredentials: boolean;
            autoSync: boolean;
            authMethod?: string | null;
            branch?: string | null;
            remote?: string | null;
            lastSync?: string | null;
            uncommittedChanges?: number | null;
            unpushedCommits?: number | null;
            unpulledCommits?: number | null;
            /** @default  */
            problem?: string;
        };
        GitSyncResult: {
            success: boolean;
            message: string;
            pulled?: number | null;
            pushed?: number | null;
        };
        GlobalMemories: {
            memories: number;
            lastActive: string | null;
        };
        HarnessConcern: {
            text: string;
            hint: string;
        };
        HarnessList: {
            harnesses: components["schemas"]["HarnessRow"][];
            mcp: components["schemas"]["McpEndpoints"];
        };
        HarnessRow: {
            name: string;
            id: string;
            path: string;
            exists: boolean;
            lastSeen: string | null;
            /** @enum {string} */
            connection: "connected" | "partly" | "not" | "refused";
            reason: string;
            hint: string;
            command: string;
            /** @enum {string} */
            tools: "registered" | "included" | "outdated" | "missing" | "declined" | "foreign" | "unsupported" | "refused";
            toolsReason: string;
            /** @enum {null|string} */
            lastEvent: "session-start" | "prompt" | "tool-use" | "turn-end" | "compaction" | "subagent" | "session-end" | "other" | null;
            leftOver: boolean;
            concerns: components["schemas"]["HarnessConcern"][];
            drivenVersion: string;
        };
        HarnessVersions: {
            versions: {
                [key: string]: string;
            };
        };
        Health: {
            status: string;
            /** @enum {string} */
            state: "ready" | "checking" | "degraded";
            reason: string;
            /** @default  */
            cause?: string;
            /** @default  */
            hint?: string;
            uptime: number;
            pid: number;
            version: string;
            port: number;
            agentsDir: string;
            db: boolean;
            updateAvailable: boolean;
            pendingRestart: boolean;
            installId: string;
        };
        HealthCheckRow: {
            name: string;
            /** @enum {string} */
            status: "ok" | "warn" | "fail";
            message: string;
            detail: string;
            fix: string;
        };
        HealthConfig: {
            provider: string;
            model: string;
            dimensions: number;
        };
        HealthReport: {
            at: string;
            sentence: string;
            isWell: boolean;
            composite: components["schemas"]["CompositeRow"];
            issues: components["schemas"]["IssueRow"][];
            domains: components["schemas"]["DomainRow"][];
            agents: components["schemas"]["AgentHealthRow"][];
            backups: components["schemas"]["BackupHealth"];
        };
        HistoryEvent: {
            id: string;
            event: string;
            oldContent: string | null;
            newContent: string | null;
            changedBy: string;
            actorType: string;
            reason: string | null;
            metadata: {
                [key: string]: unknown;
            } | null;
            createdAt: string;
            sessionId: string | null;
            requestId: string | null;
        };
        HistoryReply: {
            memoryId: string;
            count: number;
            history: components["schemas"]["HistoryEvent"][];
        };
        HookMemory: {
            id: string;
            content: string;
            type: string;
            importance: number;
            created_at: string;
        };
        HookRecallReply: {
            results: components["schemas"]["HookRecallRow"][];
            memories: components["schemas"]["HookRecallRow"][];
            count: number;
            /** @default false */
            bypassed?: boolean;
        };
        HookRecallRequest: {
            /** @default  */
            harness?: string;
            /** @default  */
            query?: string;
            project?: string | null;
            /** @default 10 */
            limit?: number;
            sessionKey?: string | null;
            agentId?: string | null;
        };
        HookRecallRow: {
            id: string;
            content: string;
            type: string;
            importance: number;
            tags: string | null;
            created_at: string;
        };
        HookRememberReply: {
            saved: boolean;
            id: string;
            /** @default true */
            success?: boolean;
            memories?: components["schemas"]["HookRecallRow"][];
            /** @default false */
            bypassed?: boolean;
        };
        HookRememberRequest: {
            /** @default  */
            harness?: string;
            /** @default  */
            content?: string;
            who?: string | null;
            project?: string | null;
            sessionKey?: string | null;
            agentId?: string | null;
            idempotencyKey?: string | null;
            runtimePath?: string | null;
        };
        HookTestReply: {
            /** @enum {string} */
            outcome: "works" | "absent" | "untestable" | "missing" | "failed" | "slow" | "lost" | "unreached" | "elsewhere" | "silent";
            text: string;
            hint: string;
            ms: number | null;
            lines: string[];
        };
        IdMatches: {
            memories: components["schemas"]["MemoryRow"][];
            more: boolean;
        };
        Identity: {
            name: string;
            /** @default  */
            description?: string;
        };
        ImportList: {
            imports: components["schemas"]["ImportRun"][];
        };
        ImportPreview: {
            sessions: number;
            sampled: number;
            kept: number;
            suggested: number;
            samples: components["schemas"]["ImportSample"][];
            estimatedS: number;
        };
        ImportPreviewRequest: {
            sources?: string[];
            project?: string | null;
        };
        ImportProblem: {
            place: string;
            reason: string;
        };
        ImportProject: {
            key: string | null;
            name: string;
            sessions: number;
        };
        ImportRequest: {
            sources?: string[];
            /**
             * @default review
             * @enum {string}
             */
            keep?: "review" | "sure";
            project?: string | null;
        };
        ImportRun: {
            id: string;
            /** @enum {string} */
            state: "waiting" | "running" | "cancelling" | "cancelled" | "done" | "failed";
            /** @enum {string} */
            keep: "review" | "sure";
            sources: string[];
            created: string;
            finished: string | null;
            sessions: number;
            done: number;
            skipped: number;
            failed: number;
            bytes: number;
            bytesDone: number;
            remainingS: number | null;
            kept: number;
            suggested: number;
            known: number;
            problems: components["schemas"]["ImportProblem"][];
            removed: string | null;
            reason: string;
        };
        ImportSample: {
            content: string;
            type: string;
            /** @enum {string} */
            outcome: "kept" | "suggested";
            saidAt: string | null;
            project: string | null;
            source: string;
        };
        ImportSource: {
            id: string;
            /** @enum {string} */
            kind: "harness" | "upload";
            label: string;
            place: string;
            sessions: number;
            imported: number;
            bytes: number;
            since: string | null;
            until: string | null;
            projects: components["schemas"]["ImportProject"][];
            expiring: number;
            expiresAt: string | null;
            estimatedS: number;
            problem: string;
        };
        ImportSources: {
            sources: components["schemas"]["ImportSource"][];
            running: string | null;
        };
        ImportedSession: {
            session: string | null;
            harness: string;
            title: string;
            project: string | null;
            started: string | null;
            /** @enum {string} */
            state: "waiting" | "done" | "skipped" | "failed";
            kept: number;
            suggested: number;
            problem: string;
        };
        ImportedSessionPage: {
            sessions: components["schemas"]["ImportedSession"][];
            next: string | null;
        };
        InPlayAspectRow: {
            id: string;
            name: string;
            entityId: string;
            entityName: string;
        };
        InPlayEntityRow: {
            id: string;
            name: string;
            /** @enum {string} */
            entityType: "person" | "organization" | "project" | "system" | "service" | "component" | "tool" | "language" | "format" | "file" | "config" | "concept" | "skill" | "task" | "unknown";
        };
        InboxActionRow: {
            /** @enum {string} */
            action: "merge" | "keep_apart" | "still_right" | "forget_stale" | "apply" | "reject" | "keep_changes" | "undo_changes" | "keep" | "drop" | "keep_both" | "newer_wins" | "all_projects" | "this_project" | "holds" | "use_workspace" | "take_edit";
            label: string;
            report: string;
            outcome: string;
            command: string;
        };
        InboxChange: {
            forget: boolean;
            content: string | null;
            type: string | null;
            importance: number | null;
            tags: string[] | null;
        };
        InboxCounts: {
            open: number;
            possible_merge: number;
            stale: number;
            proposed_change: number;
            agent_changes: number;
            suggestion: number;
            contradiction: number;
            wider_scope: number;
            taken_back: number;
            one_off_task: number;
            workspace_conflict: number;
        };
        InboxEntity: {
            id: string;
            name: string;
            /** @enum {string} */
            entity_type: "person" | "organization" | "project" | "system" | "service" | "component" | "tool" | "language" | "format" | "file" | "config" | "concept" | "skill" | "task" | "unknown";
            mentions: number;
            samples: string[];
            merged: boolean;
        };
        InboxEvidence: {
            sentence: string;
            /** @enum {string} */
            by: "user" | "agent";
            harness: string;
            session_id: string | null;
            session: string | null;
            message_id: string | null;
            start: number;
            end: number;
            said_at: string | null;
        };
        InboxKindList: {
            kinds: components["schemas"]["InboxKindRow"][];
        };
        InboxKindRow: {
            /** @enum {string} */
            kind: "possible_merge" | "stale" | "proposed_change" | "agent_changes" | "suggestion" | "contradiction" | "wider_scope" | "taken_back" | "one_off_task" | "workspace_conflict";
            label: string;
            plural: string;
            actions: components["schemas"]["InboxActionRow"][];
            confidence: string | null;
            memories: string[];
            claimable: boolean;
        };
        InboxList: {
            items: components["schemas"]["InboxRow"][];
            cursor: string | null;
        };
        InboxMatches: {
            items: components["schemas"]["InboxRow"][];
            more: boolean;
        };
        InboxMemory: {
            id: string;
            content: string;
            type: string;
            created: string;
            forgotten: boolean;
        };
        InboxRow: {
            id: string;
            /** @enum {string} */
            kind: "possible_merge" | "stale" | "proposed_change" | "agent_changes" | "suggestion" | "contradiction" | "wider_scope" | "taken_back" | "one_off_task" | "workspace_conflict";
            status: string;
            content: string;
            type: string;
            project: string | null;
            agent: string;
            confidence: number;
            keep_at: number;
            evidence: components["schemas"]["InboxEvidence"][];
            /** @enum {string} */
            origin: "user" | "agent";
            source: string;
            created: string;
            expires: string | null;
            decided: string | null;
            /** @enum {null|string} */
            action: "merge" | "keep_apart" | "still_right" | "forget_stale" | "apply" | "reject" | "keep_changes" | "undo_changes" | "keep" | "drop" | "keep_both" | "newer_wins" | "all_projects" | "this_project" | "holds" | "use_workspace" | "take_edit" | "said_again" | "withdrawn" | "obsolete" | "expired" | "memory_gone" | "memory_changed" | null;
            memory_id: string | null;
            memories: components["schemas"]["InboxMemory"][];
            entities: components["schemas"]["InboxEntity"][];
            session_title: string;
            change?: components["schemas"]["InboxChange"] | null;
        };
        IndexDiagnostics: {
            score: number;
            /** @enum {string} */
            status: "healthy" | "degraded" | "unhealthy";
            /** @default 0 */
            ftsRowCount?: number;
            /** @default 0 */
            memoriesRowCount?: number;
            /** @default false */
            ftsMismatch?: boolean;
            /** @default 1 */
            embeddingCoverage?: number;
        };
        InjectionLine: {
            memoryId: string;
            shown: boolean;
            constraint: boolean;
            reason: string;
            score: number | null;
            tokens: number;
        };
        IssueRow: {
            id: string;
            /** @enum {string} */
            level: "danger" | "warn" | "info";
            title: string;
            text: string;
            command: string;
            page: string;
            /** @enum {string} */
            action: "" | "confirm-clock" | "restore" | "repair";
            /** @default  */
            repair?: string;
        };
        ItemDecision: {
            id: string;
            status: string;
            action?: string | null;
            memory_id?: string | null;
            error?: string | null;
            hint?: string | null;
        };
        ItemReply: {
            id: string;
            status: string;
            error?: string | null;
            currentVersion?: number | null;
            newVersion?: number | null;
            contentChanged?: boolean | null;
            duplicateMemoryId?: string | null;
            embedded?: boolean | null;
        };
        JobChange: {
            id: string;
            status: string;
            /** @default true */
            success?: boolean;
        };
        JobCount: {
            type: string;
            label: string;
            /** @enum {string} */
            status: "pending" | "leased" | "completed" | "dead";
            count: number;
        };
        JobList: {
            jobs: components["schemas"]["JobRow"][];
            next_cursor: string | null;
            counts: components["schemas"]["JobCount"][];
            oldest_age_s: number | null;
            done_last_minute: number;
        };
        JobReply: {
            id: string;
            memory_id: string | null;
            document_id: string | null;
            job_type: string;
            /** @enum {string} */
            status: "pending" | "leased" | "completed" | "dead";
            attempt_count: number;
            attempts: number;
            max_attempts: number;
            next_attempt_at: string | null;
            last_error: string | null;
            last_error_code: string | null;
            error: string | null;
            leased_at: string | null;
            completed_at: string | null;
            failed_at: string | null;
            created_at: string;
            updated_at: string | null;
        };
        JobRow: {
            id: string;
            type: string;
            label: string;
            subject: string;
            memory_id: string | null;
            title: string | null;
            about: components["schemas"]["WorkSubject"] | null;
            embeds: boolean;
            /** @enum {string} */
            status: "pending" | "leased" | "completed" | "dead";
            attempts: number;
            max_attempts: number;
            not_before: string | null;
            error: string | null;
            created_at: string;
            failed_at: string | null;
            completed_at: string | null;
        };
        JobsChange: {
            affected: number;
            /** @default true */
            success?: boolean;
        };
        JobsRetry: {
            type?: string | null;
        };
        KeptMemory: {
            id: string;
            reason: string;
        };
        KeptStatement: {
            memoryId: string;
        };
        KeyCount: {
            key: string;
            count: number;
        };
        KnowledgeStats: {
            entityCount: number;
            aspectCount: number;
            attributeCount: number;
            constraintCount: number;
            dependencyCount: number;
            unassignedMemoryCount: number;
            coveragePercent: number;
            feedbackUpdatedAspectCount: number;
            averageAspectWeight: number;
            maxWeightAspectCount: number;
            minWeightAspectCount: number;
            unclassifiedCount: number;
            averageConfidence: number;
            assigned: components["schemas"]["AssignedFactCounts"];
            background: components["schemas"]["BackgroundCounts"];
            backfill: components["schemas"]["BackfillState"];
        };
        LanguageModelStatus: {
            title: string;
            state: string;
            tokens: number;
            maxTokens: number;
            usd: number;
            maxUsd: number;
        };
        LatencyReply: {
            remember: components["schemas"]["LatencyRow"];
            recall: components["schemas"]["LatencyRow"];
            mutate: components["schemas"]["LatencyRow"];
            jobs: components["schemas"]["LatencyRow"];
            hooks: components["schemas"]["LatencyRow"];
            capture: components["schemas"]["LatencyRow"];
            predictor_score: components["schemas"]["LatencyRow"];
            predictor_train: components["schemas"]["LatencyRow"];
        };
        LatencyRow: {
            /** @default 0 */
            p50?: number;
            /** @default 0 */
            p95?: number;
            /** @default 0 */
            p99?: number;
            /** @default 0 */
            count?: number;
            /** @default 0 */
            mean?: number;
        };
        LatestContinuity: {
            scores: components["schemas"]["ProjectScore"][];
        };
        LayoutState: {
            dimensions: number;
            generation: number;
            /** @enum {string} */
            method: "umap" | "pca";
            points: number;
            placed: number;
            computed_at: string;
            seconds: number;
        };
        LegacyReply: {
            results: components["schemas"]["LegacyResult"][];
        };
        LegacyResult: {
            id: string;
            content: string;
            created_at: string;
            who: string;
            importance: number;
            tags: string | null;
            type: string;
            pinned: number;
            score?: number | null;
        };
        LegacyValues: {
            values: string[];
        };
        LinkReply: {
            url: string;
            expires_in_s: number;
        };
        ListGroup: {
            value: string | null;
            count: number;
            rows: number;
        };
        LogErrorRow: {
            name: string;
            message: string;
            stack: string;
        };
        LogList: {
            logs: components["schemas"]["LogRow"][];
            count: number;
            nextCursor: string | null;
            end: string | null;
        };
        LogPlaces: {
            logDir: string;
            logFile: string;
        };
        LogRow: {
            id: string;
            timestamp: string;
            /** @enum {string} */
            level: "debug" | "info" | "warn" | "error";
            category: string;
            message: string;
            requestId?: string | null;
            data?: {
                [key: string]: unknown;
            } | null;
            duration?: number | null;
            error?: components["schemas"]["LogErrorRow"] | null;
        };
        MaintenanceStatus: {
            /** @enum {string} */
            mode: "off" | "observe" | "execute";
            lastCycleAt: string | null;
            recommended: string[];
            halted: string[];
            waiting: string;
        };
        MapFailure: {
            reason: string;
            hint: string;
            at: string;
        };
        MapLabel: {
            id: number;
            /** @enum {integer} */
            level: 0 | 1 | 2;
            words: string[];
            count: number;
            position: [
                number,
                number
            ];
            position_3d: [
                number,
                number,
                number
            ] | null;
        };
        MapLabels: {
            token: string;
            labels: components["schemas"]["MapLabel"][];
            members: string[];
        };
        MapMatches: {
            ids: string[];
            total: number;
        };
        MapRun: {
            /** @enum {string} */
            phase: "queued" | "reading" | "neighbours" | "layout" | "saving";
            progress: number;
            dimensions: number[];
            started_at: string | null;
        };
        MapRunRequest: {
            project?: string | null;
            agent?: string | null;
            dimensions?: (2 | 3)[];
        };
        McpEndpoints: {
            command: string;
            args: string[];
            url: string;
        };
        MemoryCommits: {
            commits: components["schemas"]["RelatedCommit"][];
            places: components["schemas"]["MemoryPlaceRow"][];
        };
        MemoryCounts: {
            global: number;
            private: number;
        };
        MemoryList: {
            memories: components["schemas"]["MemoryRow"][];
            stats: components["schemas"]["MemoryStats"];
            next_cursor: string | null;
            groups?: components["schemas"]["ListGroup"][] | null;
        };
        MemoryPlaceRow: {
            path: string;
            symbol: string | null;
            nowPath: string | null;
            mark: string;
            foundAt: string;
            checkedAt: string;
        };
        MemoryQuestions: {
            questions: string[];
            model?: string | null;
        };
        MemoryRow: {
            id: string;
            content: string;
            type: string;
            importance: number;
            effective_importance: number;
            tags: string | null;
            pinned: number;
            who: string;
            why: string | null;
            source_id: string | null;
            source_type: string;
            source_path: string | null;
            project: string | null;
            session_id: string | null;
            runtime_path: string | null;
            agent_id: string;
            visibility: string;
            confidence: number;
            access_count: number;
            last_accessed: string | null;
            is_deleted: number;
            deleted_at: string | null;
            extraction_status: string;
            embedding_model: string | null;
            version: number;
            created_at: string;
            updated_at: string;
            updated_by: string;
            /** @enum {string} */
            status: "current" | "replaced" | "disputed";
            superseded_by: string | null;
            valid_until: string | null;
            is_unsettled: boolean;
            /** @enum {null|string} */
            basis: "pinned" | "confirmed" | "outright" | null;
        };
        MemorySafetyReply: {
            mutation: components["schemas"]["MutationSafety"];
            recentErrors: components["schemas"]["ErrorRow"][];
            errorSummary: {
                [key: string]: number;
            };
        };
        MemoryStats: {
            total: number;
            withEmbeddings: number;
            critical: number;
        };
        MentionList: {
            items: components["schemas"]["MentionRow"][];
            cursor: string | null;
        };
        MentionRow: {
            memoryId: string;
            start: number;
            end: number;
            surface: string;
        };
        MentionSpan: {
            start: number;
            end: number;
        };
        MergeRequest: {
            into: string;
        };
        ModelCallList: {
            calls: components["schemas"]["ModelCallRow"][];
            cursor: string | null;
        };
        ModelCallRow: {
            id: string;
            at: string;
            stage: string;
            label: string;
            provider: string;
            model: string;
            prompt: string;
            prompt_version: number;
            tokens_read: number;
            tokens_written: number;
            is_estimated: boolean;
            usd: number | null;
            ms: number;
            attempts: number;
            outcome: string;
            detail: string;
            project: string | null;
            subject: components["schemas"]["WorkSubject"] | null;
        };
        ModelConfirmRequest: {
            provider: string;
            model: string;
            address: string;
        };
        ModelRow: {
            /** @enum {string} */
            role: "extraction" | "synthesis";
            /** @enum {string} */
            state: "off" | "unconfirmed" | "unusable" | "paused" | "capped" | "resting" | "ready";
            reason: string;
            until: string | null;
            provider: string;
            model: string;
            address: string;
            title: string;
            sendsAway: boolean;
            price: components["schemas"]["PriceRow"] | null;
        };
        ModelTestReply: {
            title: string;
            answered: boolean;
            keptJson: boolean;
            isListed: boolean | null;
            models: string[];
            ms: number;
            tokensRead: number;
            tokensWritten: number;
            problem: string;
            session: components["schemas"]["SessionCostRow"];
        };
        ModelTestRequest: {
            /**
             * @default extraction
             * @enum {string}
             */
            role?: "extraction" | "synthesis";
        };
        ModelTotals: {
            calls: number;
            errors: number;
            totalInputTokens: number;
            totalOutputTokens: number;
            totalCost: number;
            p50: number;
            p95: number;
        };
        ModelUsageReply: {
            since: string;
            days: components["schemas"]["UsageRow"][];
            stages: components["schemas"]["UsageRow"][];
            projects: components["schemas"]["UsageRow"][];
            models: components["schemas"]["UsageRow"][];
        };
        ModelUsageToday: {
            day: string;
            tokens: number;
            usd: number;
            calls: number;
            failed: number;
            unpriced: number;
            maxTokens: number;
            maxUsd: number;
            maxProjectTokens: number;
            resetsAt: string;
        };
        ModelsReply: {
            models: components["schemas"]["ModelRow"][];
            today: components["schemas"]["ModelUsageToday"];
            lastFailure: components["schemas"]["FailedCallRow"] | null;
            pricesAsOf: string;
            priceFile: string;
            priceProblem: string;
        };
        ModifyRequest: {
            content?: string;
            type?: string;
            tags?: string | string[] | null;
            importance?: number;
            pinned?: boolean;
            who?: string;
            project?: string | null;
            visibility?: string;
            if_version?: number | null;
            changed_by?: string | null;
            /** @default  */
            reason?: string;
            agentId?: string | null;
        };
        MutationDiagnostics: {
            score: number;
            /** @enum {string} */
            status: "healthy" | "degraded" | "unhealthy";
            /** @default 0 */
            recentRecovers?: number;
            /** @default 0 */
            recentDeletes?: number;
        };
        MutationReply: {
            id: string;
            status: string;
            success: boolean;
            currentVersion: number;
            newVersion: number;
            contentChanged?: boolean | null;
            embedded?: boolean | null;
            retentionDays?: number | null;
            /** @default false */
            erased?: boolean;
            outside?: string[] | null;
        };
        MutationSafety: {
            score: number;
            status: string;
            recentRecovers: number;
            recentDeletes: number;
        };
        NameCount: {
            value: string | null;
            count: number;
        };
        NeighborEdge: {
            source: string;
            target: string;
            type: ("uses" | "requires" | "owned_by" | "blocks" | "informs" | "part_of" | "related_to") | "mentioned_with";
            strength: number;
        };
        NeighborNode: {
            id: string;
            name: string;
            /** @enum {string} */
            entityType: "person" | "organization" | "project" | "system" | "service" | "component" | "tool" | "language" | "format" | "file" | "config" | "concept" | "skill" | "task" | "unknown";
            mentions: number;
            pinned: boolean;
            depth: number;
        };
        Neighborhood: {
            nodes: components["schemas"]["NeighborNode"][];
            edges: components["schemas"]["NeighborEdge"][];
        };
        NewSince: {
            since: string | null;
            memories: number;
            open: number;
        };
        OwnDiagnostics: {
            score: number;
            /** @enum {string} */
            status: "healthy" | "degraded" | "unhealthy";
            figures: {
                [key: string]: number | string | boolean | null;
            };
        };
        PauseRequest: {
            minutes?: number | null;
            until?: string | null;
        };
        PauseRow: {
            id: string;
            started_at: string;
            until: string | null;
            ended_at: string | null;
            asked_by: string;
        };
        PinReply: {
            pinned: boolean;
            pinnedAt?: string;
        };
        PinRequest: {
            reason?: string | null;
        };
        PinnedEntity: {
            id: string;
            name: string;
            pinnedAt: string;
            /** @enum {string} */
            entityType: "person" | "organization" | "project" | "system" | "service" | "component" | "tool" | "language" | "format" | "file" | "config" | "concept" | "skill" | "task" | "unknown";
            project: string | null;
        };
        PipelineDay: {
            tokens: number;
            token_limit: number;
            usd: number;
            usd_limit: number;
        };
        PipelineFeedback: {
            lastRunAt?: string | null;
            /** @default 0 */
            feedbackAspectsUpdated?: number;
            /** @default 0 */
            feedbackFtsConfirmations?: number;
            /** @default 0 */
            feedbackDecayedAspects?: number;
            /** @default 0 */
            feedbackPropagatedAttributes?: number;
        };
        PipelineModel: {
            /** @enum {string} */
            role: "extraction" | "synthesis";
            provider: string;
            model: string;
            title: string;
            is_asked: boolean;
        };
        PipelinePredictor: {
            /** @default false */
            running?: boolean;
            /** @default false */
            modelReady?: boolean;
            /** @default false */
            coldStartExited?: boolean;
            successRate?: number | null;
            alpha?: number | null;
        };
        PipelineQueue: {
            /** @default 0 */
            pending?: number;
            /** @default 0 */
            leased?: number;
            /** @default 0 */
            completed?: number;
            /** @default 0 */
            failed?: number;
            /** @default 0 */
            dead?: number;
        };
        PipelineQueues: {
            memory: components["schemas"]["PipelineQueue"];
            summary: components["schemas"]["PipelineQueue"];
        };
        PipelineStatus: {
            workers: components["schemas"]["PipelineWorkers"];
            queues: components["schemas"]["PipelineQueues"];
            diagnostics: components["schemas"]["Diagnostics"];
            latency: components["schemas"]["LatencyReply"];
            errorSummary: {
                [key: string]: number;
            };
            /** @enum {string} */
            mode: "disabled" | "frozen" | "shadow" | "controlled-write";
            feedback: components["schemas"]["PipelineFeedback"];
            traversal: components["schemas"]["PipelineTraversal"];
            predictor: components["schemas"]["PipelinePredictor"];
        };
        PipelineTraversal: {
            enabled: boolean;
            lastRun?: string | null;
        };
        PipelineWorker: {
            running: boolean;
        };
        PipelineWorkers: {
            extraction: components["schemas"]["PipelineWorker"];
            summary: components["schemas"]["PipelineWorker"];
            document: components["schemas"]["PipelineWorker"];
            retention: components["schemas"]["PipelineWorker"];
            maintenance: components["schemas"]["PipelineWorker"];
            synthesis: components["schemas"]["PipelineWorker"];
            structuralClassify: components["schemas"]["PipelineWorker"];
            structuralDependency: components["schemas"]["PipelineWorker"];
        };
        PossibleMove: {
            project: string;
            target: string;
            memories: number;
            reason: string;
            merges: boolean;
        };
        PreCompactionReply: {
            /** @default  */
            summaryPrompt?: string;
            /** @default  */
            guidelines?: string;
            /** @default  */
            instructions?: string;
            /** @default false */
            bypassed?: boolean;
        };
        PreCompactionRequest: {
            /** @default  */
            harness?: string;
            sessionContext?: unknown;
            messageCount?: unknown;
            sessionKey?: string | null;
            project?: string | null;
            agentId?: string | null;
            runtimePath?: string | null;
        };
        PredictorDiagnostics: {
            score: number;
            /** @enum {string} */
            status: "healthy" | "degraded" | "unhealthy";
            /** @default false */
            sidecarAlive?: boolean;
            /** @default 0 */
            modelVersion?: number;
            /** @default 0 */
            trainingSessions?: number;
            /** @default 0 */
            successRate?: number;
            /** @default 0 */
            alpha?: number;
            /** @default false */
            coldStartExited?: boolean;
            lastTrainedAt?: string | null;
            /** @default 0 */
            crashCount?: number;
            /** @default false */
            crashDisabled?: boolean;
        };
        PreviewCommit: {
            project: string;
            hash: string;
            at: string;
            subject: string;
            score: number;
            floor: number;
            shown: boolean;
            reason: string;
            tokens: number;
            line: string;
        };
        PreviewLine: {
            memoryId: string;
            content: string;
            line: string;
            type: string;
            version: number;
            pinned: boolean;
            byAgent: boolean;
            words: string;
            marks: string[];
            /** @enum {null|string} */
            group: "pinned" | "rules" | "everywhere" | "decided" | "preferences" | "changed" | "open" | "learned" | "about" | "general" | null;
            constraint: boolean;
            /** @enum {null|string} */
            basis: "pinned" | "confirmed" | "outright" | null;
            project: string | null;
            createdAt: string;
            wordedAt: string;
            reason: string;
            score: number | null;
            tokens: number;
        };
        PreviewReply: {
            project: string | null;
            agent: string;
            harness: string;
            harnessLabel: string;
            focal: components["schemas"]["FocalEntityRow"][];
            start: components["schemas"]["ContextPreview"];
            prompt: components["schemas"]["ContextPreview"] | null;
            withoutEffect: components["schemas"]["SettingWithoutEffect"][];
            movedFrom?: string | null;
        };
        PreviewRequest: {
            project?: string | null;
            harness?: string | null;
            prompt?: string | null;
            agentId?: string | null;
            settings?: {
                [key: string]: boolean | number | string | null;
            };
        };
        PreviewSession: {
            id: string;
            harness: string;
            title: string;
            at: string;
            score: number;
            floor: number;
            shown: boolean;
            reason: string;
            lines: components["schemas"]["PreviewSessionLine"][];
        };
        PreviewSessionLine: {
            text: string;
            /** @enum {string} */
            kind: "memory" | "said" | "proposal" | "proposed" | "answered" | "recap" | "asked" | "edited" | "open" | "closing";
            speaker: string;
            memoryId: string | null;
        };
        PriceRow: {
            read: number;
            written: number;
        };
        ProcessStatus: {
            rssBytes: number;
            threads: number;
            handles: number;
            children: number;
            cpuS: number;
            diskFreeBytes: number;
        };
        ProjectChangeList: {
            changes: components["schemas"]["ProjectChangeRow"][];
        };
        ProjectChangeReply: {
            id: string | null;
            /** @enum {string} */
            kind: "move" | "merge" | "rename" | "archive" | "unarchive" | "keep_apart";
            project: string;
            target: string | null;
            name: string | null;
            exists: boolean;
            contents: components["schemas"]["ProjectCounts"];
        };
        ProjectChangeRequest: {
            /** @enum {string} */
            kind: "move" | "merge" | "rename" | "archive" | "unarchive" | "keep_apart";
            project: string;
            target?: string | null;
            name?: string | null;
            /** @default false */
            preview?: boolean;
            changed_by?: string | null;
        };
        ProjectChangeRow: {
            id: string;
            /** @enum {string} */
            kind: "move" | "merge" | "rename" | "archive" | "unarchive" | "keep_apart";
            project: string;
            target: string | null;
            name: string | null;
            memories: number;
            detected: boolean;
            changedBy: string;
            createdAt: string;
            undoneAt: string | null;
        };
        ProjectCounts: {
            memories: number;
            forgotten: number;
            sessions: number;
            open: number;
            entities: number;
            twins: number;
        };
        ProjectDetail: {
            key: string;
            name: string;
            memories: number;
            sessions: number;
            lastActive: string | null;
            open: number;
            isDirectory: boolean;
            exists: boolean;
            remote: string | null;
            archived: boolean;
            named: boolean;
            path: string | null;
            worktrees: string[];
            otherNames: string[];
            types: components["schemas"]["TypeCount"][];
            new: components["schemas"]["NewSince"];
        };
        ProjectList: {
            projects: components["schemas"]["ProjectRow"][];
            cursor: string | null;
            global: components["schemas"]["GlobalMemories"];
        };
        ProjectMoves: {
            possible: components["schemas"]["PossibleMove"][];
            detected: components["schemas"]["DetectedMove"][];
        };
        ProjectPlaces: {
            project: string;
            readAt: string | null;
            stopped: string;
            checked: number;
            memories: components["schemas"]["StaleMemoryRow"][];
        };
        ProjectRow: {
            key: string;
            name: string;
            memories: number;
            sessions: number;
            lastActive: string | null;
            open: number;
            isDirectory: boolean;
            exists: boolean;
            remote: string | null;
            archived: boolean;
            named: boolean;
        };
        ProjectScore: {
            project: string | null;
            score: number;
            created_at: string;
        };
        ProjectSettingRow: {
            key: string;
            label: string;
            help: string;
            /** @enum {string} */
            kind: "switch" | "choice" | "number" | "text" | "shortcut";
            unit: string;
            value: boolean | number | string;
            general: boolean | number | string;
            generalKey: string | null;
            isSet: boolean;
            low: number | null;
            high: number | null;
            choices: components["schemas"]["SettingChoice"][];
            consequence: components["schemas"]["SettingConsequence"] | null;
        };
        ProjectSettingsChange: {
            settings: components["schemas"]["ProjectSettingsReply"];
            undo?: components["schemas"]["SettingChange"][];
        };
        ProjectSettingsReply: {
            project: string;
            settings: components["schemas"]["ProjectSettingRow"][];
        };
        ProjectSettingsRequest: {
            project: string;
            changes: components["schemas"]["SettingChange"][];
            /** @default false */
            confirmed?: boolean;
        };
        ProjectUndoRequest: {
            id?: string | null;
            changed_by?: string | null;
        };
        ProjectionFailed: {
            /**
             * @default error
             * @constant
             */
            status?: "error";
            message: string;
        };
        ProjectionNode: {
            id: string;
            x: number;
            y: number;
            z?: number | null;
            content: string;
            who: string;
            importance: number;
            type: string;
            tags: string[];
            pinned: boolean;
            sourceType: string;
            sourceId: string | null;
            createdAt: string;
        };
        ProjectionPending: {
            /**
             * @default computing
             * @constant
             */
            status?: "computing";
            dimensions: number;
            /** @enum {string} */
            phase: "queued" | "reading" | "neighbours" | "layout" | "saving";
            progress: number;
        };
        ProjectionReply: {
            /**
             * @default ready
             * @constant
             */
            status?: "ready";
            dimensions: number;
            count: number;
            total: number;
            limit: number;
            offset: number;
            hasMore: boolean;
            nodes: components["schemas"]["ProjectionNode"][];
            edges: [
                number,
                number
            ][];
            cachedAt: string;
        };
        ProjectionState: {
            project: string | null;
            agent: string | null;
            memories: number;
            embedded: number;
            layouts: components["schemas"]["LayoutState"][];
            run: components["schemas"]["MapRun"] | null;
            failure: components["schemas"]["MapFailure"] | null;
            is_outdated: boolean;
        };
        PromptReply: {
            inject: string;
            memoryCount: number;
            queryTerms: string;
            engine: string;
            /** @default false */
            bypassed?: boolean;
        };
        PromptRequest: {
            /** @default  */
            harness?: string;
            userMessage?: string | null;
            userPrompt?: string | null;
            lastAssistantMessage?: unknown;
            sessionKey?: string | null;
            project?: string | null;
            agentId?: string | null;
            runtimePath?: string | null;
        };
        ProposalCount: {
            /** @enum {string} */
            result: "applied" | "blocked" | "shadow" | "skipped";
            count: number;
        };
        ProposalList: {
            proposals: components["schemas"]["ProposalRow"][];
            counts: components["schemas"]["ProposalCount"][];
            cursor: string | null;
        };
        ProposalMemory: {
            id: string;
            content: string;
            is_deleted: boolean;
        };
        ProposalRow: {
            id: string;
            at: string;
            /** @enum {string} */
            result: "applied" | "blocked" | "shadow" | "skipped";
            action: string;
            content: string;
            type: string;
            fact_confidence: number | null;
            evidence: string;
            said_by_user: boolean;
            confidence: number | null;
            reason: string;
            skipped: string;
            blocked: string;
            contradiction_risk: boolean;
            model: string;
            prompts: components["schemas"]["StagePrompt"][];
            source: components["schemas"]["ProposalMemory"] | null;
            target: components["schemas"]["ProposalMemory"] | null;
            created: components["schemas"]["ProposalMemory"] | null;
            item_id: string | null;
            item_state: string | null;
        };
        ProviderCounts: {
            calls: number;
            failures: number;
            totalLatencyMs: number;
        };
        ProviderDiagnostics: {
            score: number;
            /** @enum {string} */
            status: "healthy" | "degraded" | "unhealthy";
            /** @default 0 */
            recentTotal?: number;
            /** @default 0 */
            recentSuccesses?: number;
            /** @default 0 */
            recentFailures?: number;
            /** @default 0 */
            recentTimeouts?: number;
            /** @default 1 */
            availabilityRate?: number;
        };
        ProviderResolution: {
            configured: string;
            resolved: string;
            effective: string;
            reason: string;
        };
        ProviderResolutions: {
            extraction: components["schemas"]["ProviderResolution"];
            synthesis: components["schemas"]["ProviderResolution"];
        };
        ProviderStatus: {
            provider: string;
            model: string;
            base_url: string;
            available: boolean;
            dimensions: number | null;
            error: string | null;
            checkedAt: string;
            tracker: components["schemas"]["TrackerStatus"] | null;
        };
        QueueDiagnostics: {
            score: number;
            /** @enum {string} */
            status: "healthy" | "degraded" | "unhealthy";
            /** @default 0 */
            depth?: number;
            /** @default 0 */
            oldestAgeSec?: number;
            /** @default 0 */
            deadRate?: number;
            /** @default 0 */
            leaseAnomalies?: number;
        };
        QueueStatus: {
            pending: number;
            leased: number;
            dead: number;
        };
        RecallExplain: {
            terms: string[];
            dropped: string[];
            postings: number;
            candidates: number;
            timed_out: boolean;
        };
        RecallReply: {
            results: components["schemas"]["RecallResult"][];
            query: string;
            method: string;
            /** @default 0 */
            weaker?: number;
            /** @default  */
            keywords_only?: string;
            explain?: components["schemas"]["RecallExplain"] | null;
        };
        RecallRequest: {
            /** @default  */
            query?: string;
            keywordQuery?: string | null;
            /** @default 10 */
            limit?: number;
            agentId?: string | null;
            agent?: string | null;
            /** @enum {null|string} */
            visibility?: "global" | "private" | null;
            project?: string | null;
            type?: string | null;
            tags?: string | string[] | null;
            who?: string | null;
            pinned?: boolean | null;
            sourceType?: string | null;
            sourcePath?: string | null;
            sessionId?: string | null;
            entity?: string | null;
            /** @default false */
            globalOnly?: boolean;
            importance_min?: number | null;
            importance_max?: number | null;
            since?: string | null;
            until?: string | null;
            /** @enum {null|string} */
            status?: "current" | "replaced" | "disputed" | "all" | null;
            as_of?: string | null;
            min_score?: number | null;
            minScore?: number | null;
            /** @default false */
            explain?: boolean;
            /** @default false */
            expand?: boolean;
        };
        RecallResult: {
            id: string;
            content: string;
            content_length: number;
            truncated: boolean;
            score: number;
            source: string;
            type: string;
            tags: string | null;
            pinned: boolean;
            importance: number;
            who: string;
            project: string | null;
            agent_id: string;
            visibility: string;
            created_at: string;
            /**
             * @default current
             * @enum {string}
             */
            status?: "current" | "replaced" | "disputed";
            superseded_by?: string | null;
            valid_until?: string | null;
            /** @default false */
            is_unsettled?: boolean;
            /** @enum {null|string} */
            basis?: "pinned" | "confirmed" | "outright" | null;
            explain?: components["schemas"]["ResultExplain"] | null;
            transcript?: components["schemas"]["ResultTranscript"] | null;
        };
        RecoverRequest: {
            /** @default  */
            reason?: string;
            if_version?: number | null;
            changed_by?: string | null;
            agentId?: string | null;
        };
        RedoReply: {
            stage: string;
            count: number;
            tokens: number | null;
            usd: number | null;
            queued: number;
            dryRun: boolean;
            /** @default true */
            success?: boolean;
        };
        RedoRequest: {
            stage: string;
            since: string;
            /** @default false */
            dryRun?: boolean;
        };
        RefreshedRegistry: {
            models: {
                [key: string]: components["schemas"]["RegistryModel"][];
            };
            registry: components["schemas"]["RegistryState"];
            /** @default false */
            throttled?: boolean;
        };
        RegistryModel: {
            id: string;
            provider: string;
            label: string;
            /** @enum {string} */
            tier: "low" | "mid" | "high";
            deprecated: boolean;
        };
        RegistryReply: {
            models: components["schemas"]["RegistryModel"][];
            registry: components["schemas"]["RegistryState"];
        };
        RegistryState: {
            initialized: boolean;
            lastRefreshAt: number;
            modelCounts: {
                [key: string]: number;
            };
        };
        RelatedCommit: {
            project: string;
            hash: string;
            committedAt: string;
            /** @enum {string} */
            kind: "commit" | "merge" | "revert";
            reverts: string | null;
            author: string | null;
            subject: string;
            excerpt: string;
            reason: string;
        };
        ReleaseRow: {
            version: string;
            date: string;
            isNew: boolean;
            groups: components["schemas"]["ChangeGroup"][];
        };
        RememberReply: {
            id: string;
            type: string;
            tags: string | null;
            pinned: boolean;
            importance: number;
            content: string;
            embedded: boolean;
            /** @default false */
            deduped?: boolean;
            /** @default 0 */
            redacted?: number;
        };
        RememberRequest: {
            content: string;
            who?: string | null;
            why?: string | null;
            project?: string | null;
            importance?: number | null;
            tags?: string | string[] | null;
            pinned?: boolean | null;
            sourceType?: string | null;
            sourceId?: string | null;
            type?: string | null;
            agentId?: string | null;
            visibility?: string | null;
            sessionId?: string | null;
            createdAt?: string | null;
            idempotencyKey?: string | null;
            runtimePath?: string | null;
            sourcePath?: string | null;
        };
        ReminderResult: {
            /** @enum {string} */
            result: "saved" | "known" | "suggested";
            memoryId: string | null;
            inboxId: string | null;
        };
        RemovedSource: {
            /** @enum {string} */
            kind: "session" | "import" | "file" | "agent" | "tool";
            id: string;
        };
        RepairList: {
            repairs: components["schemas"]["RepairRow"][];
            runs: components["schemas"]["RepairRunRow"][];
            maintenance: components["schemas"]["MaintenanceStatus"];
        };
        RepairReply: {
            action: string;
            success: boolean;
            affected: number;
            message: string;
            /** @default 0 */
            clusters?: number;
            runId?: string | null;
            /** @default false */
            canUndo?: boolean;
        };
        RepairRequest: {
            batchSize?: number | null;
            limit?: number | null;
            dryRun?: boolean | null;
            /** @default false */
            fullSweep?: boolean;
            /** @default false */
            repair?: boolean;
            semanticThreshold?: number | null;
            /** @default true */
            semanticEnabled?: boolean;
            /** @default 1 */
            maxMentions?: number;
        };
        RepairRow: {
            action: string;
            title: string;
            text: string;
            changesContent: boolean;
            refused: string;
            lastRunAt: string | null;
        };
        RepairRunRow: {
            id: string;
            action: string;
            title: string;
            at: string;
            actor: string;
            reason: string;
            affected: number;
            message: string;
            canUndo: boolean;
            undoneAt: string | null;
        };
        ReplacedMemory: {
            memoryId: string;
            content: string;
            byMemoryId: string;
            byContent: string;
            at: string;
        };
        RestoreReply: {
            restored: string;
            set_aside: string;
            /** @enum {string} */
            state: "ready" | "checking" | "degraded";
        };
        RestoreRequest: {
            name?: string | null;
        };
        ResultExplain: {
            bm25: number;
            coverage: number;
            cosine: number | null;
            meaning: number | null;
            matched: string[];
            shares: {
                [key: string]: number;
            };
            reasons: string[];
            answers: boolean;
        };
        ResultTranscript: {
            harness: string;
            session_id: string;
            messages: components["schemas"]["TranscriptLine"][];
        };
        RetentionStatus: {
            running: boolean;
            nextAt: string | null;
            freeBytes: number;
            windows: {
                [key: string]: number;
            };
            last: components["schemas"]["SweepRow"] | null;
        };
        SavedLineRow: {
            id: string;
            at: string;
            text: string;
        };
        SavedMemory: {
            memoryId: string;
            byAgent: boolean;
            byModel: boolean;
            content: string;
            type: string;
            /** @enum {string} */
            state: "live" | "forgotten" | "erased";
            at: string;
        };
        ScoreCount: {
            value: number;
            count: number;
        };
        SessionClaim: {
            inboxId: string;
            content: string;
            type: string;
            at: string;
            inboxStatus: string;
            memoryId: string | null;
            /** @enum {null|string} */
            memoryState: "live" | "forgotten" | "erased" | null;
            /** @enum {string} */
            result: "captured" | "suggested" | "suggestion_kept" | "suggestion_said_again" | "suggestion_dropped" | "suggestion_withdrawn" | "suggestion_expired" | "withdrawal" | "withdrawn" | "replaced" | "forgotten" | "erased";
        };
        SessionCostRow: {
            tokensRead: number;
            tokensWritten: number;
            usd: number | null;
            sessions: number;
            characters: number;
        };
        SessionDetail: {
            id: string;
            key: string;
            harness: string;
            agent: string;
            project: string | null;
            cwd: string | null;
            runtimePath: string | null;
            claimedAt: string;
            bypassed: boolean;
            /** @enum {null|string} */
            bypassedBy: "user" | "agent" | null;
            start: string;
            lastActive: string;
            end: string | null;
            endReason: string | null;
            open: boolean;
            told: number;
            asked: number;
            captured: number;
            suggested: number;
            tokens: number;
            title: string;
            firstPrompt: string;
            messages: number;
            kept: string[];
            summary: string;
            passage: string;
            words: string[];
            injections: components["schemas"]["SessionInjection"][];
            moreInjections: boolean;
            memories: {
                [key: string]: components["schemas"]["ToldMemory"];
            };
            prompts: components["schemas"]["AskedPrompt"][];
            morePrompts: boolean;
            /** @enum {string} */
            transcript: "read" | "missing" | "unreadable" | "none";
            stored: components["schemas"]["StoredTranscript"];
            statements: components["schemas"]["SessionStatement"][];
            moreStatements: boolean;
            saved: components["schemas"]["SavedMemory"][];
            moreSaved: boolean;
            replaced: components["schemas"]["ReplacedMemory"][];
            claims: components["schemas"]["SessionClaim"][];
            moreClaims: boolean;
            considered: components["schemas"]["ConsideredStatement"][];
            reminders: components["schemas"]["SessionReminder"][];
            reminderTokens: number;
            topics: string[];
            decisions: string[];
            inPlay: components["schemas"]["SessionInPlay"];
        };
        SessionEndReply: {
            memoriesSaved: number;
            /** @default false */
            bypassed?: boolean;
        };
        SessionEndRequest: {
            /** @default  */
            harness?: string;
            transcriptPath?: string | null;
            sessionId?: string | null;
            sessionKey?: string | null;
            cwd?: string | null;
            reason?: string | null;
            agentId?: string | null;
            runtimePath?: string | null;
        };
        SessionForgetCandidate: {
            id: string;
            content: string;
            type: string;
            version: number;
            pinned: boolean;
            elsewhere: boolean;
        };
        SessionForgetPreview: {
            confirmToken: string;
            count: number;
            memories: components["schemas"]["SessionForgetCandidate"][];
            suggestions: number;
            messages: number;
        };
        SessionForgetReply: {
            forgotten: string[];
            kept: components["schemas"]["KeptMemory"][];
            dropped: string[];
        };
        SessionForgetRequest: {
            /**
             * @default preview
             * @enum {string}
             */
            mode?: "preview" | "execute";
            /** @default  */
            confirmToken?: string;
            /** @default false */
            elsewhere?: boolean;
            /** @default  */
            reason?: string;
            changedBy?: string | null;
            agentId?: string | null;
        };
        SessionInPlay: {
            entities: components["schemas"]["InPlayEntityRow"][];
            aspects: components["schemas"]["InPlayAspectRow"][];
        };
        SessionInjection: {
            id: number;
            event: string;
            source: string | null;
            promptId: string | null;
            at: string;
            tokens: number;
            elapsedMs: number;
            text: string | null;
            /** @enum {string} */
            textState: "kept" | "expired" | "erased" | "none";
            words: string[];
            sessions: components["schemas"]["ComparedSession"][];
            commits: components["schemas"]["ComparedCommit"][];
            lines: components["schemas"]["InjectionLine"][];
            more: number;
        };
        SessionList: {
            sessions: components["schemas"]["SessionRow"][];
            count: number;
            cursor: string | null;
        };
        SessionReminder: {
            id: number;
            promptId: string | null;
            at: string;
            wording: number;
            tokens: number;
            confidence: number;
            /** @enum {string} */
            outcome: "waiting" | "saved" | "known" | "suggested" | "nothing";
            results: components["schemas"]["ReminderResult"][];
        };
        SessionRow: {
            id: string;
            key: string;
            harness: string;
            agent: string;
            project: string | null;
            cwd: string | null;
            runtimePath: string | null;
            claimedAt: string;
            bypassed: boolean;
            /** @enum {null|string} */
            bypassedBy: "user" | "agent" | null;
            start: string;
            lastActive: string;
            end: string | null;
            endReason: string | null;
            open: boolean;
            told: number;
            asked: number;
            captured: number;
            suggested: number;
            tokens: number;
            title: string;
            firstPrompt: string;
            messages: number;
            kept: string[];
            summary: string;
            passage: string;
            words: string[];
        };
        SessionStartReply: {
            identity: components["schemas"]["Identity"];
            memories: components["schemas"]["HookMemory"][];
            inject: string;
            /** @default false */
            bypassed?: boolean;
        };
        SessionStartRequest: {
            /** @default  */
            harness?: string;
            project?: string | null;
            projectPath?: string | null;
            agentId?: string | null;
            context?: unknown;
            sessionKey?: string | null;
            sessionId?: string | null;
            runtimePath?: string | null;
        };
        SessionStatement: {
            messageId: string;
            start: number;
            at: string | null;
            sentence: string;
            content: string;
            type: string;
            outcome: string;
            state: string;
            memoryId: string | null;
            /** @enum {null|string} */
            memoryState: "live" | "forgotten" | "erased" | null;
            inboxId: string | null;
            inboxStatus: string | null;
            inboxAction: string | null;
            /** @enum {string} */
            result: "captured" | "suggested" | "suggestion_kept" | "suggestion_said_again" | "suggestion_dropped" | "suggestion_withdrawn" | "suggestion_expired" | "withdrawal" | "withdrawn" | "replaced" | "forgotten" | "erased";
        };
        SessionSummaryList: {
            summaries: components["schemas"]["SessionSummaryRow"][];
            total: number;
        };
        SessionSummaryRow: {
            id: string;
            project: string | null;
            depth: number;
            /** @enum {string} */
            kind: "session" | "compaction" | "checkpoint";
            content: string;
            token_count: number;
            earliest_at: string;
            latest_at: string;
            session_key: string;
            harness: string;
            agent_id: string;
            created_at: string;
            childCount: number;
        };
        SettingChange: {
            key: string;
            value: boolean | number | string | null;
        };
        SettingChoice: {
            value: string;
            label: string;
        };
        SettingConsequence: {
            /** @enum {string} */
            kind: "tokens" | "sends" | "deletes";
            text: string;
            values: (boolean | number | string)[];
            /** @enum {string} */
            change: "any" | "more" | "less";
        };
        SettingFact: {
            id: string;
            group: string;
            label: string;
            value: string;
            help: string;
        };
        SettingProblemRow: {
            key: string;
            message: string;
        };
        SettingRow: {
            key: string;
            label: string;
            help: string;
            group: string;
            /** @enum {string} */
            kind: "switch" | "choice" | "number" | "text" | "shortcut";
            unit: string;
            default: boolean | number | string;
            value: boolean | number | string;
            /** @enum {string} */
            origin: "default" | "file";
            isSet: boolean;
            given: string | null;
            problem: string;
            whole: boolean;
            low: number | null;
            high: number | null;
            choices: components["schemas"]["SettingChoice"][];
            needsRestart: boolean;
            consequence: components["schemas"]["SettingConsequence"] | null;
            secret: boolean;
            line: number | null;
            harness: string | null;
            words: string;
            notice: string;
        };
        SettingWithoutEffect: {
            key: string;
            reason: string;
        };
        SettingsChangeReply: {
            settings: components["schemas"]["SettingsReply"];
            undo: components["schemas"]["SettingChange"][];
        };
        SettingsChangeRequest: {
            changes: components["schemas"]["SettingChange"][];
            /** @default false */
            confirmed?: boolean;
        };
        SettingsFileProblem: {
            message: string;
            line: number | null;
            column: number | null;
            excerpt: string | null;
        };
        SettingsFileState: {
            path: string;
            exists: boolean;
            writable: boolean;
            fingerprint: string;
            problem: components["schemas"]["SettingsFileProblem"] | null;
        };
        SettingsReply: {
            groups: string[];
            settings: components["schemas"]["SettingRow"][];
            facts: components["schemas"]["SettingFact"][];
            unused: components["schemas"]["UnusedKey"][];
            file: components["schemas"]["SettingsFileState"];
        };
        ShownRequest: {
            stage: string;
            subject: string;
            prompt: string;
            version: number;
            provider: string | null;
            model: string | null;
            system: string;
            user: string;
            schema: {
                [key: string]: unknown;
            } | null;
            maxTokens: number;
            temperature: number;
        };
        ShownRequests: {
            session: string;
            requests: components["schemas"]["ShownRequest"][];
        };
        SignInPageReply: {
            file: string;
            expires_in_s: number;
        };
        SignInPageRequest: {
            /** @default / */
            next?: string;
            sandbox?: components["schemas"]["BrowserSandbox"] | null;
        };
        SimilarReply: {
            results: components["schemas"]["SimilarResult"][];
        };
        SimilarResult: {
            id: string;
            content: string;
            type: string;
            tags: string[];
            score: number;
            confidence: number;
            created_at: string;
        };
        SourceList: {
            sources: components["schemas"]["SourceRow"][];
        };
        SourceMemory: {
            id: string;
            content: string;
            type: string;
            pinned: boolean;
            elsewhere: boolean;
        };
        SourceRemoval: {
            id: string;
            source: components["schemas"]["RemovedSource"];
            label: string;
            at: string;
            forgotten: number;
            kept: number;
            dropped: number;
            running: boolean;
            undone: string | null;
        };
        SourceRemovalList: {
            removals: components["schemas"]["SourceRemoval"][];
        };
        SourceRemovalPreview: {
            confirmToken: string;
            label: string;
            count: number;
            elsewhere: number;
            memories: components["schemas"]["SourceMemory"][];
            suggestions: number;
            sessions: number;
            messages: number;
        };
        SourceRemovalRequest: {
            source: components["schemas"]["RemovedSource"];
            /**
             * @default preview
             * @enum {string}
             */
            mode?: "preview" | "execute";
            /** @default  */
            confirmToken?: string;
            /** @default false */
            elsewhere?: boolean;
            /** @default  */
            reason?: string;
        };
        SourceRow: {
            /** @enum {string} */
            kind: "session" | "import" | "file" | "agent" | "tool";
            id: string;
            label: string;
            memories: number;
        };
        SplitRequest: {
            name: string;
            /** @enum {null|string} */
            entityType?: "person" | "organization" | "project" | "system" | "service" | "component" | "tool" | "language" | "format" | "file" | "config" | "concept" | "skill" | "task" | "unknown" | null;
            memoryIds: string[];
        };
        StageFailure: {
            at: string;
            text: string;
        };
        StageList: {
            /** @enum {string} */
            mode: "disabled" | "frozen" | "shadow" | "controlled-write";
            models: components["schemas"]["PipelineModel"][];
            today: components["schemas"]["PipelineDay"];
            stages: components["schemas"]["StageRow"][];
        };
        StagePauseReply: {
            stage: string;
            paused: boolean;
            /** @default true */
            success?: boolean;
        };
        StagePrompt: {
            name: string;
            version: number;
        };
        StageRow: {
            name: string;
            label: string;
            help: string;
            /** @enum {string} */
            role: "extraction" | "synthesis";
            /** @enum {string} */
            state: "off" | "waiting_for_model" | "paused" | "resting" | "capped" | "working" | "failing" | "idle";
            detail: string;
            paused_at: string | null;
            job_types: string[];
            waiting: number;
            running: number;
            failed_jobs: number;
            last_hour: number;
            last_day: number;
            today: components["schemas"]["StageUse"];
            week: components["schemas"]["StageUse"];
            median_ms: number | null;
            last_error: components["schemas"]["StageFailure"] | null;
            prompts: components["schemas"]["StagePrompt"][];
            can_redo: boolean;
        };
        StageUse: {
            calls: number;
            failed: number;
            tokens: number;
            usd: number | null;
        };
        StaleMemoryRow: {
            id: string;
            content: string;
            type: string;
            pinned: boolean;
            mark: string;
            where: string;
            places: components["schemas"]["MemoryPlaceRow"][];
        };
        StartAtLoginReply: {
            on: boolean;
        };
        StartAtLoginRequest: {
            on: boolean;
        };
        Statistics: {
            /** @enum {string} */
            range: "7" | "30" | "90" | "all";
            first: string;
            last: string;
            /** @enum {string} */
            step: "day" | "week" | "month";
            project: string | null;
            summary: string;
            isEmpty: boolean;
            pendingDays: number;
            memories: number;
            entities: number;
            projectsLearned: number;
            totals: components["schemas"]["CountedFigures"];
            points: components["schemas"]["StatisticsPoint"][];
            projects: components["schemas"]["StatisticsGroup"][];
            types: components["schemas"]["StatisticsGroup"][];
            origins: components["schemas"]["StatisticsGroup"][];
            topEntities: components["schemas"]["StatisticsEntity"][];
        };
        StatisticsEntity: {
            id: string;
            name: string;
            type: string;
            memories: number;
        };
        StatisticsGroup: {
            learned: number;
            forgotten: number;
            retired: number;
            restored: number;
            entities: number;
            sessions: number;
            told: number;
            toldTokens: number;
            searches: number;
            found: number;
            kept: number;
            suggested: number;
            dropped: number;
            usedTold: number;
            usedFound: number;
            key: string | null;
            label: string;
            learnedPer: number[];
            toldTokensPer: number[];
        };
        StatisticsPoint: {
            learned: number;
            forgotten: number;
            retired: number;
            restored: number;
            entities: number;
            sessions: number;
            told: number;
            toldTokens: number;
            searches: number;
            found: number;
            kept: number;
            suggested: number;
            dropped: number;
            usedTold: number;
            usedFound: number;
            day: string;
            memories: number;
        };
        Status: {
            status: string;
            /** @enum {string} */
            state: "ready" | "checking" | "degraded";
            reason: string;
            /** @default  */
            cause?: string;
            /** @default  */
            hint?: string;
            version: string;
            pid: number;
            uptime: number;
            startedAt: string;
            port: number;
            host: string;
            bindHost: string;
            agentsDir: string;
            memoryDb: boolean;
            logFile: string;
            command: string;
            activeSessions: number;
            /** @default 0 */
            bypassedSessions?: number;
            /** @default 0 */
            inbox?: number;
            process: components["schemas"]["ProcessStatus"];
            store: components["schemas"]["StoreStatus"];
            queue: components["schemas"]["QueueStatus"];
            embedding: components["schemas"]["EmbeddingStatus"] | null;
            languageModel?: components["schemas"]["LanguageModelStatus"] | null;
            retention: components["schemas"]["RetentionStatus"] | null;
            capture?: components["schemas"]["CaptureStatus"] | null;
            clock?: components["schemas"]["ClockStatus"] | null;
            settingProblems: components["schemas"]["SettingProblemRow"][];
            agents?: string[];
            issues?: components["schemas"]["IssueRow"][];
            /** @default  */
            sentence?: string;
            /** @default false */
            isWell?: boolean;
            health?: components["schemas"]["CompositeRow"] | null;
            pipelineV2?: {
                [key: string]: unknown;
            };
            providerResolution?: components["schemas"]["ProviderResolutions"] | null;
            logging?: components["schemas"]["LogPlaces"] | null;
            agentCreatedAt?: string | null;
            update?: components["schemas"]["UpdateStatus"] | null;
        };
        StorageDiagnostics: {
            score: number;
            /** @enum {string} */
            status: "healthy" | "degraded" | "unhealthy";
            /** @default 0 */
            totalMemories?: number;
            /** @default 0 */
            deletedTombstones?: number;
            /** @default 0 */
            dbSizeBytes?: number;
        };
        StoreStatus: {
            bytes: number;
            schemaVersion: number;
            memories: number;
            deleted: number;
            jobsPending: number;
            waitingWrites: number;
            spool: number;
            spoolRejected: number;
            lastBackup: string | null;
        };
        StoredTranscript: {
            messages: number;
            characters: number;
        };
        StructuralDensity: {
            aspectCount: number;
            attributeCount: number;
            constraintCount: number;
            dependencyCount: number;
        };
        SuppressReply: {
            suppressed: boolean;
        };
        SweepRow: {
            startedAt: string;
            endedAt: string;
            cause: string;
            outcome: string;
            removed: {
                [key: string]: number;
            };
            failed: {
                [key: string]: string;
            };
            longestMs: number;
            givenBackBytes: number;
        };
        SyncPreview: {
            id: string;
            path: string;
            diff: string;
        };
        SyncResult: {
            success: boolean;
            message: string;
            output: string;
            written: string[];
        };
        SyncSwitch: {
            enabled: boolean;
        };
        SyncTarget: {
            id: string;
            label: string;
            path: string;
            /** @enum {string} */
            state: "synced" | "waiting" | "conflict" | "refused" | "off" | "disconnected";
            synced: string | null;
            reason: string;
            hint: string;
            item: string | null;
        };
        TelemetryEvent: {
            id: string;
            event: string;
            timestamp: string;
            properties: {
                [key: string]: string | number | boolean | null;
            };
        };
        TelemetryEvents: {
            events: components["schemas"]["TelemetryEvent"][];
            enabled: boolean;
        };
        TelemetryStats: {
            enabled: boolean;
            totalEvents?: number;
            llm?: components["schemas"]["ModelTotals"];
            pipelineErrors?: number;
            byEvent?: {
                [key: string]: number;
            };
        };
        Timeline: {
            generatedAt: string;
            generatedFor: string;
            rangePreset: string;
            totalMemories: number;
            totalHistoryEvents: number;
            invalidMemoryTimestamps: number;
            invalidHistoryTimestamps: number;
            buckets: components["schemas"]["Bucket"][];
        };
        TimelineEventRow: {
            timestamp: string;
            /** @enum {string} */
            source: "history" | "job" | "log" | "error" | "predictor";
            event: string;
            details: {
                [key: string]: string | number | boolean | null;
            };
        };
        TimelineExport: {
            meta: components["schemas"]["TimelineMeta"];
            timeline: components["schemas"]["TimelineReply"];
        };
        TimelineMeta: {
            version: string;
            exportedAt: string;
            entityId: string;
        };
        TimelineReply: {
            /** @enum {string} */
            entityType: "memory" | "entity" | "session" | "request" | "unknown";
            entityId: string;
            events: components["schemas"]["TimelineEventRow"][];
            generatedAt: string;
            /** @default false */
            cut?: boolean;
        };
        ToldMemory: {
            content: string | null;
            type: string | null;
            version: number | null;
            changed: string | null;
            validUntil: string | null;
            pinned: boolean;
            project: string | null;
            /** @enum {string} */
            state: "live" | "forgotten" | "erased";
        };
        ToolsPreview: {
            path: string;
            diff: string;
            commands: string[];
        };
        TrackerStatus: {
            running: boolean;
            processed: number;
            failed: number;
            skippedCycles: number;
            lastCycleAt: string | null;
            queueDepth: number;
        };
        TranscriptLine: {
            /** @enum {string} */
            role: "user" | "agent";
            said_at: string;
            text: string;
            is_source: boolean;
        };
        TraversalReport: {
            /** @enum {string} */
            phase: "session_start" | "recall";
            at: string;
            /** @enum {string} */
            source: "checkpoint" | "project" | "query" | "session_key" | "pinned";
            focalEntityNames: string[];
            focalEntities: number;
            traversedEntities: number;
            memoryCount: number;
            constraintCount: number;
            timedOut: boolean;
        };
        TraversalStatus: {
            status: components["schemas"]["TraversalReport"] | null;
        };
        TriedStatementRow: {
            content: string;
            /** @enum {string} */
            type: "decision" | "preference" | "rule" | "fact" | "procedural" | "learning";
            /** @enum {string} */
            outcome: "kept" | "suggested" | "considered";
            everywhere: boolean;
        };
        TypeCount: {
            value: string;
            count: number;
        };
        UndoRequest: {
            ids: string[];
            agentId?: string | null;
        };
        UninstallItemReply: {
            /** @enum {string} */
            kind: "process" | "agent" | "autostart" | "service" | "files" | "data" | "own";
            title: string;
            files: string[];
            note: string;
        };
        UninstallProblemReply: {
            title: string;
            reason: string;
            hint: string;
            file: string;
        };
        UninstallReply: {
            done: boolean;
            installedBy: string;
            removes: components["schemas"]["UninstallItemReply"][];
            keeps: components["schemas"]["UninstallItemReply"][];
            problems: components["schemas"]["UninstallProblemReply"][];
            command: string;
            nextStep: string;
            nextCommand: string;
        };
        UnusedKey: {
            key: string;
            message: string;
            line: number | null;
        };
        UpdateCheckReply: {
            currentVersion: string;
            latestVersion: string | null;
            updateAvailable: boolean;
            releaseUrl: string | null;
            cached: boolean;
            checkedAt: string | null;
            checkError: string | null;
            obstacle: string;
            /** @enum {string} */
            installedBy: "deb" | "folder" | "inno" | "app-bundle" | "pipx" | "uv" | "pip" | "clone";
            source: string;
            advice: string;
            command: string;
            canRun: boolean;
            updateInProgress: boolean;
            pendingVersion: string | null;
            restartCommand: string;
        };
        UpdateConfig: {
            check: boolean;
            autoInstall: boolean;
            checkInterval: number;
            channel: string;
            feed: string;
        };
        UpdateConfigChanged: {
            /** @default true */
            success?: boolean;
            config: components["schemas"]["UpdateConfig"];
            /** @default true */
            persisted?: boolean;
        };
        UpdateConfigReply: {
            check: boolean;
            autoInstall: boolean;
            checkInterval: number;
            channel: string;
            feed: string;
            minInterval: number;
            maxInterval: number;
            pendingRestartVersion: string | null;
            lastAutoUpdateAt?: string | null;
            lastAutoUpdateError?: string | null;
            updateInProgress: boolean;
        };
        UpdateConfigRequest: {
            check?: boolean | null;
            channel?: string | null;
            check_interval?: number | null;
            checkInterval?: number | null;
            auto_install?: boolean | null;
            autoInstall?: boolean | null;
        };
        UpdateDiagnostics: {
            score: number;
            /** @enum {string} */
            status: "healthy" | "degraded" | "unhealthy";
            /** @default false */
            autoInstallEnabled?: boolean;
            lastCheckSucceeded?: boolean | null;
            lastCheckAgeHours?: number | null;
            /** @default false */
            pendingRestart?: boolean;
            lastError?: string | null;
        };
        UpdateRunReply: {
            success: boolean;
            message: string;
            command: string;
            installedVersion?: string | null;
            /** @default false */
            restartRequired?: boolean;
        };
        UpdateRunRequest: {
            /** @default false */
            confirmed?: boolean;
        };
        UpdateStatus: {
            currentVersion: string;
            latestVersion?: string | null;
            /** @default false */
            updateAvailable?: boolean;
            /** @default false */
            pendingRestart?: boolean;
            /** @default false */
            autoInstall?: boolean;
            /** @default 0 */
            checkInterval?: number;
            lastCheckAt?: string | null;
            lastError?: string | null;
            /** @default false */
            timerActive?: boolean;
        };
        Upload: {
            id: string;
            name: string;
            size: number;
            received: number;
            source: components["schemas"]["ImportSource"] | null;
            problem: string;
        };
        UploadRequest: {
            name: string;
            size: number;
        };
        UsageReply: {
            endpoints: {
                [key: string]: components["schemas"]["EndpointCounts"];
            };
            actors: {
                [key: string]: components["schemas"]["ActorCounts"];
            };
            providers: {
                [key: string]: components["schemas"]["ProviderCounts"];
            };
            connectors: {
                [key: string]: components["schemas"]["ConnectorCounts"];
            };
        };
        UsageRow: {
            key: string | null;
            calls: number;
            failed: number;
            tokensRead: number;
            tokensWritten: number;
            usd: number;
            unpriced: number;
        };
        ValidityRequest: {
            /** @default  */
            reason?: string;
            if_version?: number | null;
            changed_by?: string | null;
            agentId?: string | null;
        };
        VectorHealthReply: {
            status: string;
            score: number;
            checkedAt: string;
            config: components["schemas"]["HealthConfig"];
            checks: components["schemas"]["HealthCheckRow"][];
        };
        WhoAmI: {
            authenticated: boolean;
            role: string;
            mode: string;
            claims?: {
                [key: string]: string;
            } | null;
        };
        WorkSubject: {
            /** @enum {string} */
            kind: "memory" | "session" | "entity";
            id: string;
            title: string;
        };
        WorkspaceConflict: {
            item: string;
            target: string;
            path: string;
            ours: string;
            theirs: string;
            file: string;
        };
        WorkspaceFile: {
            name: string;
            exists: boolean;
            size: number;
            changed: string | null;
            read: number;
        };
        WorkspaceIdentity: {
            name: string;
            creature: string;
            vibe: string;
        };
        WorkspaceState: {
            path: string;
            enabled: boolean;
            watching: boolean;
            files: components["schemas"]["WorkspaceFile"][];
            agents: string[];
            targets: components["schemas"]["SyncTarget"][];
            synced: string | null;
        };
        /**
         * @description An error: ``code`` for programs; ``title``, ``detail`` and ``hint`` for people.
         *
         *         ``error`` repeats the detail. Some errors have additional fields. ``status`` is the HTTP
         *         status, or the contract's own word (`not_found`) instead.
         */
        Problem: {
            error: string;
            code: string;
            title: string;
            status: number | string;
            detail: string;
            /** @default  */
            hint?: string;
        };
    };
    responses: never;
    parameters: {
        /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
        agentId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getStatus: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
        };
    };
    getDiagnostics: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Diagnostics"];
                };
            };
        };
    };
    getDomainDiagnostics: {
        parameters: {
            path: {
                domain: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["QueueDiagnostics"] | components["schemas"]["StorageDiagnostics"] | components["schemas"]["IndexDiagnostics"] | components["schemas"]["ProviderDiagnostics"] | components["schemas"]["MutationDiagnostics"] | components["schemas"]["DuplicateDiagnostics"] | components["schemas"]["ConnectorDiagnostics"] | components["schemas"]["UpdateDiagnostics"] | components["schemas"]["PredictorDiagnostics"] | components["schemas"]["OwnDiagnostics"];
                };
            };
        };
    };
    getHealthReport: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HealthReport"];
                };
            };
        };
    };
    createSignInLink: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["LinkReply"];
                };
            };
        };
    };
    createSignInPage: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInPageRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SignInPageReply"];
                };
            };
        };
    };
    proveDaemon: {
        parameters: {
            query: {
                nonce: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DaemonProof"];
                };
            };
        };
    };
    getWhoAmI: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WhoAmI"];
                };
            };
        };
    };
    listBackups: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BackupList"];
                };
            };
        };
    };
    makeBackup: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BackupRow"];
                };
            };
        };
    };
    createEmptyDatabase: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EmptyDatabaseReply"];
                };
            };
        };
    };
    restoreBackup: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RestoreReply"];
                };
            };
        };
    };
    testBackup: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BackupTestReply"];
                };
            };
        };
    };
    stopDaemon: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Acknowledged"];
                };
            };
        };
    };
    previewUninstall: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["UninstallReply"];
                };
            };
        };
    };
    streamEvents: {
        responses: {
            200: {
                content: {
                    "text/event-stream": unknown;
                };
            };
        };
    };
    listLogs: {
        parameters: {
            query?: {
                level?: "debug" | "info" | "warn" | "warning" | "error" | "critical" | null;
                category?: string | null;
                since?: string | null;
                until?: string | null;
                requestId?: string | null;
                q?: string | null;
                limit?: number;
                cursor?: string | null;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["LogList"];
                };
            };
        };
    };
    streamLogs: {
        parameters: {
            query?: {
                level?: "debug" | "info" | "warn" | "warning" | "error" | "critical" | null;
                category?: string | null;
                since?: string | null;
                until?: string | null;
                requestId?: string | null;
                q?: string | null;
                after?: string | null;
            };
        };
        responses: {
            200: {
                content: {
                    "text/event-stream": unknown;
                };
            };
        };
    };
    getSettings: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SettingsReply"];
                };
            };
        };
    };
    changeSettings: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettingsChangeRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SettingsChangeReply"];
                };
            };
        };
    };
    getFeatures: {
        responses: {
            200: {
                content: {
                    "application/json": {
                        [key: string]: boolean;
                    };
                };
            };
        };
    };
    getConfig: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConfigFiles"];
                };
            };
        };
    };
    writeConfig: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfigWrite"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConfigWritten"];
                };
            };
        };
    };
    getIdentity: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WorkspaceIdentity"];
                };
            };
        };
    };
    getUpdateConfig: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["UpdateConfigReply"];
                };
            };
        };
    };
    changeUpdateConfig: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateConfigRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["UpdateConfigChanged"];
                };
            };
        };
    };
    getChangelog: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ChangelogReply"];
                };
            };
        };
    };
    checkForUpdate: {
        parameters: {
            query?: {
                force?: boolean;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["UpdateCheckReply"];
                };
            };
        };
    };
    runUpdate: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRunRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["UpdateRunReply"];
                };
            };
        };
    };
    markChangelogSeen: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Acknowledged"];
                };
            };
        };
    };
    confirmModel: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelConfirmRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ModelsReply"];
                };
            };
        };
    };
    detectModels: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DetectedModels"];
                };
            };
        };
    };
    getModels: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ModelsReply"];
                };
            };
        };
    };
    testModel: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelTestRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ModelTestReply"];
                };
            };
        };
    };
    getModelUsage: {
        parameters: {
            query?: {
                days?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ModelUsageReply"];
                };
            };
        };
    };
    listModelsByProvider: {
        responses: {
            200: {
                content: {
                    "application/json": {
                        [key: string]: components["schemas"]["RegistryModel"][];
                    };
                };
            };
        };
    };
    listKnownModels: {
        parameters: {
            query?: {
                provider?: string | null;
                deprecated?: boolean;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RegistryReply"];
                };
            };
        };
    };
    refreshModels: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RefreshedRegistry"];
                };
            };
        };
    };
    listAgents: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AgentList"];
                };
            };
        };
    };
    addAgent: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddAgentRequest"];
            };
        };
        responses: {
            201: {
                content: {
                    "application/json": components["schemas"]["AgentRow"];
                };
            };
        };
    };
    getAgent: {
        parameters: {
            path: {
                agent_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AgentRow"];
                };
            };
        };
    };
    archiveAgent: {
        parameters: {
            path: {
                agent_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AgentRow"];
                };
            };
        };
    };
    changeAgent: {
        parameters: {
            path: {
                agent_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeAgentRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AgentRow"];
                };
            };
        };
    };
    discardJob: {
        parameters: {
            path: {
                job_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["JobChange"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                job_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["JobReply"];
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                status?: "pending" | "leased" | "completed" | "dead" | null;
                type?: string | null;
                limit?: number;
                cursor?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["JobList"];
                };
            };
        };
    };
    retryJob: {
        parameters: {
            path: {
                job_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["JobChange"];
                };
            };
        };
    };
    retryJobs: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobsRetry"] | null;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["JobsChange"];
                };
            };
        };
    };
    listContinuityScores: {
        parameters: {
            query?: {
                project?: string | null;
                limit?: number;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ContinuityReply"];
                };
            };
        };
    };
    listErrors: {
        parameters: {
            query?: {
                stage?: string | null;
                since?: string | null;
                limit?: number;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ErrorsReply"];
                };
            };
        };
    };
    getLatency: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["LatencyReply"];
                };
            };
        };
    };
    listLatestContinuity: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["LatestContinuity"];
                };
            };
        };
    };
    getMemorySafety: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemorySafetyReply"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["UsageReply"];
                };
            };
        };
    };
    listTelemetry: {
        parameters: {
            query?: {
                event?: string | null;
                since?: string | null;
                until?: string | null;
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TelemetryEvents"];
                };
            };
        };
    };
    exportTelemetry: {
        parameters: {
            query?: {
                event?: string | null;
                since?: string | null;
                until?: string | null;
            };
        };
        responses: {
            200: {
                content: {
                    "application/x-ndjson": unknown;
                };
            };
        };
    };
    getTelemetryStats: {
        parameters: {
            query?: {
                since?: string | null;
                until?: string | null;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TelemetryStats"];
                };
            };
        };
    };
    exportTraining: {
        parameters: {
            query?: {
                format?: string;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/x-ndjson": unknown;
                };
            };
        };
    };
    exportEventTimeline: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                subject: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TimelineExport"];
                };
            };
        };
    };
    getEventTimeline: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                subject: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TimelineReply"];
                };
            };
        };
    };
    getPipelineStatus: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PipelineStatus"];
                };
            };
        };
    };
    pauseStage: {
        parameters: {
            path: {
                stage: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["StagePauseReply"];
                };
            };
        };
    };
    redoStage: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedoRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RedoReply"];
                };
            };
        };
    };
    resumeStage: {
        parameters: {
            path: {
                stage: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["StagePauseReply"];
                };
            };
        };
    };
    listStages: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["StageList"];
                };
            };
        };
    };
    listModelCalls: {
        parameters: {
            query?: {
                stage?: string | null;
                outcome?: string | null;
                limit?: number;
                before?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ModelCallList"];
                };
            };
        };
    };
    listProposals: {
        parameters: {
            query?: {
                result?: "applied" | "blocked" | "shadow" | "skipped" | null;
                limit?: number;
                before?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProposalList"];
                };
            };
        };
    };
    exportEmbeddings: {
        parameters: {
            query?: {
                vectors?: boolean;
                limit?: number;
                offset?: number;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EmbeddingPage"];
                };
            };
        };
    };
    getEmbeddingsHealth: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["VectorHealthReply"];
                };
            };
        };
    };
    getEmbeddingsStatus: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProviderStatus"];
                };
            };
        };
    };
    getProjection: {
        parameters: {
            query?: {
                project?: string | null;
                agent?: string | null;
                visibility?: "global" | "private" | null;
                status?: "current" | "replaced" | "disputed" | "all" | null;
                as_of?: string | null;
                type?: string | null;
                who?: string | null;
                pinned?: boolean | null;
                importance_min?: number | null;
                importance_max?: number | null;
                since?: string | null;
                until?: string | null;
                sourceType?: string | null;
                sourcePath?: string | null;
                sessionId?: string | null;
                entity?: string | null;
                tags?: string | null;
                globalOnly?: boolean;
                q?: string;
                harness?: string | null;
                types?: string | null;
                sourceTypes?: string | null;
                source_type?: string | null;
                importanceMin?: number | null;
                importanceMax?: number | null;
                dimensions?: number;
                limit?: number;
                offset?: number;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectionReply"] | components["schemas"]["ProjectionPending"] | components["schemas"]["ProjectionFailed"];
                };
            };
            202: {
                content: {
                    "application/json": components["schemas"]["ProjectionPending"];
                };
            };
        };
    };
    startMapRun: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["MapRunRequest"];
            };
        };
        responses: {
            202: {
                content: {
                    "application/json": components["schemas"]["ProjectionState"];
                };
            };
        };
    };
    cancelMapRun: {
        parameters: {
            query?: {
                project?: string | null;
                agent?: string | null;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectionState"];
                };
            };
        };
    };
    getMapState: {
        parameters: {
            query?: {
                project?: string | null;
                agent?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectionState"];
                };
            };
        };
    };
    getMapEdges: {
        parameters: {
            query: {
                token: string;
                project?: string | null;
                agent?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    getMapPoints: {
        parameters: {
            query?: {
                project?: string | null;
                agent?: string | null;
                dimensions?: number;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/octet-stream": string;
                };
            };
        };
    };
    getMapLabels: {
        parameters: {
            query: {
                token: string;
                project?: string | null;
                agent?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MapLabels"];
                };
            };
        };
    };
    listMapMatches: {
        parameters: {
            query?: {
                project?: string | null;
                agent?: string | null;
                visibility?: "global" | "private" | null;
                status?: "current" | "replaced" | "disputed" | "all" | null;
                as_of?: string | null;
                type?: string | null;
                who?: string | null;
                pinned?: boolean | null;
                importance_min?: number | null;
                importance_max?: number | null;
                since?: string | null;
                until?: string | null;
                sourceType?: string | null;
                sourcePath?: string | null;
                sessionId?: string | null;
                entity?: string | null;
                tags?: string | null;
                globalOnly?: boolean;
                limit?: number;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MapMatches"];
                };
            };
        };
    };
    getColdStats: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ColdStats"];
                };
            };
        };
    };
    getDedupStats: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DedupStats"];
                };
            };
        };
    };
    getEmbeddingGaps: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["GapsReply"];
                };
            };
        };
    };
    listRepairs: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RepairList"];
                };
            };
        };
    };
    runRepair: {
        parameters: {
            path: {
                /** @description The name of a repair */
                action: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RepairRequest"] | null;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RepairReply"];
                };
            };
        };
    };
    undoRepair: {
        parameters: {
            path: {
                /** @description The id of a run */
                run_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RepairRunRow"];
                };
            };
        };
    };
    listEntities: {
        parameters: {
            query?: {
                q?: string;
                type?: string | null;
                project?: string | null;
                pinned?: boolean | null;
                memoryId?: string | null;
                limit?: number;
                offset?: number;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EntityList"];
                };
            };
        };
    };
    listEntityHealth: {
        parameters: {
            query?: {
                agent_id?: string | null;
                since?: string | null;
                min_comparisons?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EntityHealth"][];
                };
            };
        };
    };
    listEntityMemories: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                entity_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EntityMemoryList"];
                };
            };
        };
    };
    listMentions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                entity_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MentionList"];
                };
            };
        };
    };
    listPinnedEntities: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PinnedEntity"][];
                };
            };
        };
    };
    listAliases: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                entity_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AliasList"];
                };
            };
        };
    };
    addAlias: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                entity_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddAliasRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EntityChangeReply"];
                };
            };
        };
    };
    getEntity: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                entity_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EntityDetail"];
                };
            };
        };
    };
    changeEntity: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                entity_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EntityPatch"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EntityChangeReply"];
                };
            };
        };
    };
    pinEntity: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                entity_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PinRequest"] | null;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PinReply"];
                };
            };
        };
    };
    unpinEntity: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                entity_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PinReply"];
                };
            };
        };
    };
    removeAlias: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                entity_id: string;
                alias_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EntityChangeReply"];
                };
            };
        };
    };
    suppressEntity: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                entity_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SuppressReply"];
                };
            };
        };
    };
    unsuppressEntity: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                entity_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SuppressReply"];
                };
            };
        };
    };
    listAspects: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                entity_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AspectList"];
                };
            };
        };
    };
    listAttributes: {
        parameters: {
            query?: {
                kind?: "attribute" | "constraint" | null;
                status?: "active" | "superseded" | "deleted" | null;
                limit?: number;
                offset?: number;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                entity_id: string;
                aspect_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AttributeList"];
                };
            };
        };
    };
    listDependencies: {
        parameters: {
            query?: {
                direction?: "incoming" | "outgoing" | "both";
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                entity_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DependencyList"];
                };
            };
        };
    };
    getKnowledgeStats: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["KnowledgeStats"];
                };
            };
        };
    };
    changeAttribute: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                attribute_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AttributeChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["AttributeRow"];
                };
            };
        };
    };
    listEntityChanges: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                entity_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EntityChangeList"];
                };
            };
        };
    };
    mergeEntity: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                entity_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MergeRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EntityChangeReply"];
                };
            };
        };
    };
    splitEntity: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                entity_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SplitRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EntityChangeReply"];
                };
            };
        };
    };
    undoEntityChange: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                change_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EntityChangeReply"];
                };
            };
        };
    };
    getConstellation: {
        parameters: {
            query?: {
                project?: string | null;
                agent?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Constellation"];
                };
            };
        };
    };
    listNeighbors: {
        parameters: {
            query?: {
                depth?: number;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                entity_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Neighborhood"];
                };
            };
        };
    };
    expandEntity: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExpandRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ExpandReply"];
                };
            };
        };
    };
    getTraversalStatus: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["TraversalStatus"];
                };
            };
        };
    };
    getMemory: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                memory_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemoryRow"];
                };
            };
        };
    };
    forgetMemory: {
        parameters: {
            query?: {
                reason?: string;
                force?: boolean;
                if_version?: number | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                memory_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForgetRequest"] | null;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MutationReply"];
                };
            };
        };
    };
    modifyMemory: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                memory_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModifyRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MutationReply"];
                };
            };
        };
    };
    getMemoryHistory: {
        parameters: {
            query?: {
                limit?: number;
                event?: "created" | "updated" | "modified" | "deleted" | "recovered" | "replaced" | "reinstated" | "none" | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                memory_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HistoryReply"];
                };
            };
        };
    };
    recoverMemory: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                memory_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoverRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MutationReply"];
                };
            };
        };
    };
    reinstateMemory: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                memory_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidityRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MutationReply"];
                };
            };
        };
    };
    remember: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RememberRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RememberReply"];
                };
            };
        };
    };
    retireMemory: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                memory_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidityRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MutationReply"];
                };
            };
        };
    };
    rateMemories: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FeedbackRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FeedbackReply"];
                };
            };
        };
    };
    forgetMemories: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchForgetRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ForgetPreview"] | components["schemas"]["BatchForgetReply"];
                };
            };
        };
    };
    modifyMemories: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchModifyRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BatchModifyReply"];
                };
            };
        };
    };
    recoverMemories: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchRecoverRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BatchRecoverReply"];
                };
            };
        };
    };
    listMemories: {
        parameters: {
            query?: {
                project?: string | null;
                agent?: string | null;
                visibility?: "global" | "private" | null;
                status?: "current" | "replaced" | "disputed" | "all" | null;
                as_of?: string | null;
                type?: string | null;
                who?: string | null;
                pinned?: boolean | null;
                importance_min?: number | null;
                importance_max?: number | null;
                since?: string | null;
                until?: string | null;
                sourceType?: string | null;
                sourcePath?: string | null;
                sessionId?: string | null;
                entity?: string | null;
                tags?: string | null;
                globalOnly?: boolean;
                limit?: number;
                offset?: number;
                cursor?: string | null;
                deleted?: boolean;
                sort?: "newest" | "changed" | "importance" | "used" | null;
                group?: "project" | "type" | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemoryList"];
                };
            };
        };
    };
    recall: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecallRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RecallReply"];
                };
            };
        };
    };
    searchMemories: {
        parameters: {
            query?: {
                project?: string | null;
                agent?: string | null;
                visibility?: "global" | "private" | null;
                status?: "current" | "replaced" | "disputed" | "all" | null;
                as_of?: string | null;
                type?: string | null;
                who?: string | null;
                pinned?: boolean | null;
                importance_min?: number | null;
                importance_max?: number | null;
                since?: string | null;
                until?: string | null;
                sourceType?: string | null;
                sourcePath?: string | null;
                sessionId?: string | null;
                entity?: string | null;
                tags?: string | null;
                globalOnly?: boolean;
                q?: string;
                limit?: number;
                explain?: boolean;
                min_score?: number | null;
                exactProject?: boolean;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RecallReply"];
                };
            };
        };
    };
    find: {
        parameters: {
            query?: {
                q?: string;
                project?: string | null;
                limit?: number;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FindReply"];
                };
            };
        };
    };
    searchByWords: {
        parameters: {
            query?: {
                project?: string | null;
                agent?: string | null;
                visibility?: "global" | "private" | null;
                status?: "current" | "replaced" | "disputed" | "all" | null;
                as_of?: string | null;
                type?: string | null;
                who?: string | null;
                pinned?: boolean | null;
                importance_min?: number | null;
                importance_max?: number | null;
                since?: string | null;
                until?: string | null;
                sourceType?: string | null;
                sourcePath?: string | null;
                sessionId?: string | null;
                entity?: string | null;
                tags?: string | null;
                globalOnly?: boolean;
                q?: string;
                limit?: number | null;
                distinct?: string | null;
                exactProject?: boolean;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["LegacyReply"] | components["schemas"]["LegacyValues"];
                };
            };
        };
    };
    similarMemories: {
        parameters: {
            query?: {
                id?: string;
                k?: number;
                type?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SimilarReply"];
                };
            };
        };
    };
    listSources: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SourceList"];
                };
            };
        };
    };
    takeBackSource: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["SourceRemovalRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SourceRemovalPreview"] | components["schemas"]["SourceRemoval"];
                };
            };
        };
    };
    listTakenBack: {
        parameters: {
            query?: {
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SourceRemovalList"];
                };
            };
        };
    };
    undoTakeBack: {
        parameters: {
            path: {
                removal_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SourceRemoval"];
                };
            };
        };
    };
    countFacets: {
        parameters: {
            query?: {
                project?: string | null;
                agent?: string | null;
                visibility?: "global" | "private" | null;
                status?: "current" | "replaced" | "disputed" | "all" | null;
                as_of?: string | null;
                type?: string | null;
                who?: string | null;
                pinned?: boolean | null;
                importance_min?: number | null;
                importance_max?: number | null;
                since?: string | null;
                until?: string | null;
                sourceType?: string | null;
                sourcePath?: string | null;
                sessionId?: string | null;
                entity?: string | null;
                tags?: string | null;
                globalOnly?: boolean;
                deleted?: boolean;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["FacetsReply"];
                };
            };
        };
    };
    matchMemoryIds: {
        parameters: {
            query: {
                prefix: string;
                suffix?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["IdMatches"];
                };
            };
        };
    };
    getTimeline: {
        parameters: {
            query?: {
                project?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Timeline"];
                };
            };
        };
    };
    countInbox: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["InboxCounts"];
                };
            };
        };
    };
    getInboxItem: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                item_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["InboxRow"];
                };
            };
        };
    };
    decideInboxItem: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                item_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["InboxRow"];
                };
            };
        };
    };
    decideInboxItems: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkDecisionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DecisionList"];
                };
            };
        };
    };
    listInbox: {
        parameters: {
            query?: {
                status?: "open" | "done";
                kind?: "possible_merge" | "stale" | "proposed_change" | "agent_changes" | "suggestion" | "contradiction" | "wider_scope" | "taken_back" | "one_off_task" | "workspace_conflict" | null;
                project?: string | null;
                session?: string | null;
                import?: string | null;
                limit?: number;
                cursor?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["InboxList"];
                };
            };
        };
    };
    listInboxKinds: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["InboxKindList"];
                };
            };
        };
    };
    matchInboxIds: {
        parameters: {
            query: {
                prefix: string;
                suffix?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["InboxMatches"];
                };
            };
        };
    };
    undoInboxDecisions: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UndoRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["DecisionList"];
                };
            };
        };
    };
    getCapture: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CaptureReply"];
                };
            };
        };
    };
    countCaptured: {
        parameters: {
            query?: {
                since?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CapturedSince"];
                };
            };
        };
    };
    pauseCapture: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["PauseRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CaptureReply"];
                };
            };
        };
    };
    getCapturePrecision: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CapturePrecisionReply"];
                };
            };
        };
    };
    resumeCapture: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CaptureReply"];
                };
            };
        };
    };
    tryCapture: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CaptureTrialRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CaptureTrialReply"];
                };
            };
        };
    };
    dismissCaptureReview: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Acknowledged"];
                };
            };
        };
    };
    listCaptureReview: {
        parameters: {
            query?: {
                forgotten?: boolean;
                limit?: number;
                cursor?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CaptureReviewList"];
                };
            };
        };
    };
    keepReviewed: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CaptureReviewKeepRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CaptureReviewKept"];
                };
            };
        };
    };
    getMemoryEvidence: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                memory_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["EvidenceReply"];
                };
            };
        };
    };
    getMemoryQuestions: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                memory_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemoryQuestions"];
                };
            };
        };
    };
    getMemoryCommits: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                memory_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["MemoryCommits"];
                };
            };
        };
    };
    getProject: {
        parameters: {
            query?: {
                project?: string | null;
                global?: boolean;
                since?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectDetail"];
                };
            };
        };
    };
    listProjects: {
        parameters: {
            query?: {
                q?: string | null;
                archived?: boolean;
                limit?: number;
                cursor?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectList"];
                };
            };
        };
    };
    listProjectPlaces: {
        parameters: {
            query: {
                project: string;
                check?: boolean;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectPlaces"];
                };
            };
        };
    };
    getProjectSettings: {
        parameters: {
            query: {
                project: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectSettingsReply"];
                };
            };
        };
    };
    changeProjectSettings: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectSettingsRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectSettingsChange"];
                };
            };
        };
    };
    getCommit: {
        parameters: {
            query: {
                project: string;
            };
            path: {
                commit_hash: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CommitDetail"];
                };
            };
        };
    };
    forgetCommit: {
        parameters: {
            query: {
                project: string;
            };
            path: {
                commit_hash: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ForgottenCommit"];
                };
            };
        };
    };
    listCommits: {
        parameters: {
            query?: {
                project?: string | null;
                q?: string;
                limit?: number;
                cursor?: string | null;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CommitList"];
                };
            };
        };
    };
    readCommits: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommitReadRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CommitReading"];
                };
            };
        };
    };
    getCommitReading: {
        parameters: {
            query: {
                project: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CommitReading"];
                };
            };
        };
    };
    switchCommits: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommitSwitchRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CommitReading"];
                };
            };
        };
    };
    restoreCommit: {
        parameters: {
            query: {
                project: string;
            };
            path: {
                commit_hash: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ForgottenCommit"];
                };
            };
        };
    };
    hookUserPromptSubmit: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PromptRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PromptReply"];
                };
            };
        };
    };
    hookRecall: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HookRecallRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HookRecallReply"];
                };
            };
        };
    };
    hookRemember: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HookRememberRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HookRememberReply"];
                };
            };
        };
    };
    hookSessionEnd: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionEndRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SessionEndReply"];
                };
            };
        };
    };
    hookSessionStart: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionStartRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SessionStartReply"];
                };
            };
        };
    };
    hookNative: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                harness: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": string;
                };
            };
        };
    };
    hookNativeOlder: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                name: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": string;
                };
            };
        };
    };
    connectHarness: {
        parameters: {
            path: {
                harness: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConnectionPreview"] | components["schemas"]["ConnectionResult"];
                };
            };
        };
    };
    disconnectHarness: {
        parameters: {
            path: {
                harness: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ConnectionPreview"] | components["schemas"]["ConnectionResult"];
                };
            };
        };
    };
    listHarnesses: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HarnessList"];
                };
            };
        };
    };
    testHarness: {
        parameters: {
            path: {
                harness: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HookTestReply"];
                };
            };
        };
    };
    listHarnessVersions: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["HarnessVersions"];
                };
            };
        };
    };
    cancelImport: {
        parameters: {
            path: {
                import_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ImportRun"];
                };
            };
        };
    };
    listImports: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ImportList"];
                };
            };
        };
    };
    startImport: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ImportRun"];
                };
            };
        };
    };
    getImport: {
        parameters: {
            path: {
                import_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ImportRun"];
                };
            };
        };
    };
    previewImport: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportPreviewRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ImportPreview"];
                };
            };
        };
    };
    listImportedSessions: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                import_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ImportedSessionPage"];
                };
            };
        };
    };
    listImportSources: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ImportSources"];
                };
            };
        };
    };
    getGitConfig: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["GitConfig"];
                };
            };
        };
    };
    changeGitConfig: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["GitConfigChange"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["GitConfigResult"];
                };
            };
        };
    };
    pullWorkspace: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["GitResult"];
                };
            };
        };
    };
    pushWorkspace: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["GitResult"];
                };
            };
        };
    };
    getGitStatus: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["GitStatus"];
                };
            };
        };
    };
    syncWorkspaceGit: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["GitSyncResult"];
                };
            };
        };
    };
    getWorkspaceConflict: {
        parameters: {
            path: {
                item: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WorkspaceConflict"];
                };
            };
        };
    };
    previewSync: {
        parameters: {
            path: {
                target: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SyncPreview"];
                };
            };
        };
    };
    switchSync: {
        parameters: {
            path: {
                target: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SyncSwitch"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WorkspaceState"];
                };
            };
        };
    };
    regenerateHarnesses: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SyncResult"];
                };
            };
        };
    };
    syncWorkspace: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SyncResult"];
                };
            };
        };
    };
    getWorkspace: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["WorkspaceState"];
                };
            };
        };
    };
    getUpload: {
        parameters: {
            path: {
                upload: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
        };
    };
    sendUploadPart: {
        parameters: {
            query: {
                offset: number;
            };
            path: {
                upload: string;
            };
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
        };
    };
    deleteUpload: {
        parameters: {
            path: {
                upload: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Acknowledged"];
                };
            };
        };
    };
    beginUpload: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Upload"];
                };
            };
        };
    };
    keepConsideredStatement: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                session_id: string;
                statement_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["KeptStatement"];
                };
            };
        };
    };
    previewSession: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PreviewReply"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                session_id: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SessionDetail"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                project?: string | null;
                globalOnly?: boolean;
                harness?: string | null;
                agent?: string | null;
                since?: string | null;
                until?: string | null;
                memory?: string | null;
                q?: string;
                limit?: number;
                cursor?: string | null;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
        };
    };
    getStartAtLogin: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["StartAtLoginReply"];
                };
            };
        };
    };
    switchStartAtLogin: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartAtLoginRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["StartAtLoginReply"];
                };
            };
        };
    };
    exportStatistics: {
        parameters: {
            query?: {
                range?: "7" | "30" | "90" | "all";
                project?: string | null;
            };
        };
        responses: {
            200: {
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    readStatistics: {
        parameters: {
            query?: {
                range?: "7" | "30" | "90" | "all";
                project?: string | null;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Statistics"];
                };
            };
        };
    };
    getRetention: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RetentionStatus"];
                };
            };
        };
    };
    sweepRetention: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["RepairRequest"] | null;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["RepairReply"];
                };
            };
        };
    };
    confirmClock: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["Acknowledged"];
                };
            };
        };
    };
    forgetSession: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                session_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionForgetRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SessionForgetPreview"] | components["schemas"]["SessionForgetReply"];
                };
            };
        };
    };
    bypassSession: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                session_id: string;
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BypassRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["BypassReply"];
                };
            };
        };
    };
    listSessionSummaries: {
        parameters: {
            query?: {
                project?: string | null;
                depth?: number | null;
                limit?: number;
                offset?: number;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["SessionSummaryList"];
                };
            };
        };
    };
    listCheckpoints: {
        parameters: {
            query?: {
                project?: string | null;
                limit?: number;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CheckpointList"];
                };
            };
        };
    };
    listSessionCheckpoints: {
        parameters: {
            query?: {
                harness?: string | null;
                limit?: number;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
            path: {
                session_key: string;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CheckpointList"];
                };
            };
        };
    };
    hookCompactionComplete: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompactionCompleteRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["CompactionCompleteReply"];
                };
            };
        };
    };
    hookPreCompaction: {
        parameters: {
            query?: {
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreCompactionRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["PreCompactionReply"];
                };
            };
        };
    };
    showPrompts: {
        parameters: {
            query: {
                session: string;
                /** @description The agent that the request acts for, which the body's `agentId` or the header `x-signet-agent-id` may name instead; two different names are refused. */
                agentId?: components["parameters"]["agentId"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ShownRequests"];
                };
            };
        };
    };
    listProjectChanges: {
        parameters: {
            query?: {
                limit?: number;
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectChangeList"];
                };
            };
        };
    };
    changeProject: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectChangeRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectChangeReply"];
                };
            };
        };
    };
    listProjectMoves: {
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectMoves"];
                };
            };
        };
    };
    undoProjectChange: {
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectUndoRequest"];
            };
        };
        responses: {
            200: {
                content: {
                    "application/json": components["schemas"]["ProjectChangeRow"];
                };
            };
        };
    };
}
