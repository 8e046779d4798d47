import { memory, tagsWorld } from '../tags-world.testing.ts';

/** Writes 1, 2, 3, … to the tag `n` and prints each on standard output once it was accepted, until it is killed. */
const [dataDir = ''] = process.argv.slice(2);
const world = tagsWorld(dataDir);
world.configure([memory('n', { type: 'integer' }), memory('rest', { type: 'json' })]);
await world.call('tags.write', { path: 'rest', value: { order: 'ORD-1', lines: [1, 2] } });
for (let n = 1; ; n++) {
  await world.call('tags.write', { path: 'n', value: n });
  process.stdout.write(`${n}\n`);
}
