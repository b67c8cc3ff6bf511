// Compiles the schema as the Web IDE does, parses each sample, and posts one report for each.
import YAML from '/node_modules/yaml/browser/index.js';
import { eventLabels } from './labels.mjs';
import { Tree, typesByClass } from './tree.mjs';

const post = (report) => fetch('/report', { method: 'POST', body: JSON.stringify(report) });
const describe = (error) => `${error.name}: ${error.message}`;

async function compile() {
  const text = await (await fetch('/mysql_binlog.ksy')).text();
  const schema = YAML.parse(text);
  const alone = { importYaml: (name) => Promise.reject(new Error(`the schema stands alone: ${name}`)) };
  // `true` asks for what the Web IDE runs: positions, enums' names, no reading in the constructor.
  const files = await self.KaitaiStructCompiler.compile('javascript', YAML.parse(text), alone, true);
  const types = typesByClass(schema);
  for (const source of Object.values(files)) (0, eval)(source);
  const name = Object.keys(files)[0].replace('.js', '');
  return { types, Root: self[name][name] };
}

function countByType(events) {
  const counts = {};
  for (const { eventType } of events) counts[eventType] = (counts[eventType] ?? 0) + 1;
  return counts;
}

function reportOf(name, bytes, { types, Root }) {
  const root = new Root(new self.KaitaiStream(bytes.buffer));
  let error = null;
  try {
    root._read();
  } catch (caught) {
    error = describe(caught);
  }
  const events = root.events ?? [];
  const tree = new Tree(types, Root);
  const rootNode = error === null ? tree.node(root) : null;
  // What there is before the first click.
  const shown = { counts: { ...tree.counts }, numNodes: tree.numNodes };
  const labels = rootNode ? eventLabels(tree, rootNode) : [];
  return {
    name,
    error,
    lenTrailing: error === null ? root.trailing.length : null,
    eventTypes: countByType(events),
    rawTypes: countByType(events.filter(({ body }) => body instanceof Uint8Array)),
    shown,
    widest: tree.widest,
    depths: tree.depths,
    labels,
    counts: tree.counts,
    instanceErrors: tree.errors,
  };
}

try {
  const compiled = await compile();
  for (const { name, file } of await (await fetch('/samples/manifest.json')).json()) {
    const bytes = new Uint8Array(await (await fetch(`/samples/${file}`)).arrayBuffer());
    await post(reportOf(name, bytes, compiled));
  }
  await post({ end: null });
} catch (error) {
  await post({ end: `${describe(error)}\n${error.stack}` });
}
