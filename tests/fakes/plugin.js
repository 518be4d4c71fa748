/** A plugin that sends the events on its standard input, and prints the replies to them. */

import { readFileSync } from "node:fs";

import { daemonLink } from "../../app/intaglio/connect/programs/plugin_link.js";

const link = daemonLink();
for (const [event, options] of JSON.parse(readFileSync(0, "utf8"))) {
  console.log(JSON.stringify(await link.send(event, options)));
}
