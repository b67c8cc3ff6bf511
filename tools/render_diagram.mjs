// node tools/render_diagram.mjs SOURCE.dot TARGET.svg
// Renders a Graphviz diagram with the pinned npm package, so that nothing has to be installed.
import fs from 'node:fs';
import { instance } from '@viz-js/viz';

const [source, target] = process.argv.slice(2);
const viz = await instance();
fs.writeFileSync(target, viz.renderString(fs.readFileSync(source, 'utf8'), { format: 'svg' }));
