import { startLink } from './link.ts';

/** The network of one edge of the demo, as a process that can be stopped and continued: `demo-link.ts <port of the hub>`. */
const link = await startLink(Number(process.argv[2]));
process.stdout.write(`${link.port}\n`);
process.once('disconnect', () => process.exit());
