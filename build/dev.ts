import { Backend } from './dev/backend.ts';
import { readDeveloper } from './dev/developer.ts';
import { logInPlugin } from './dev/log-in-plugin.ts';
import { HELP, readOptions } from './dev/options.ts';
import { startUiServer } from './dev/ui-server.ts';
import { watchSources } from './dev/watch-sources.ts';

/**
 * `npm run dev`: the admin UI with hot reload, and the host and gateway from the sources, restarted when one of them is
 * saved. The browser is logged in as a development user of this data folder. Everything listens on loopback.
 *
 * The product has no development mode: host and gateway are started as usual, and everything special is in
 * the page server, which packages do not contain (build/package/bundle.test.ts).
 */
async function main(args: readonly string[]): Promise<void> {
  const options = await readOptions(args);
  const developer = await readDeveloper(options.folder);
  const backend = new Backend(options, developer, (part) => {
    console.log(`The ${part} serves; routes at http://127.0.0.1:${options.gatewayPort}`);
    if (part === 'host') pages.reset();
    server.ws.send({ type: 'full-reload' });
  });
  const pages = logInPlugin(() => backend.logIn());
  const server = await startUiServer(options, pages);
  const end = async (): Promise<void> => {
    await Promise.all([backend.stop(), server.close()]);
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void end());
  await server.listen();
  await backend.start();
  watchSources(server, (part) => {
    console.log(`Sources have changed: the ${part} is started again.`);
    backend.restart(part).catch((error: unknown) => console.error(error));
  });
  console.log(`Admin UI: http://127.0.0.1:${options.uiPort}/`);
  console.log(`Development user: ${developer.name}, password ${developer.password}`);
}

const args = process.argv.slice(2);
if (args.includes('--help')) console.log(HELP);
else
  await main(args).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  });
