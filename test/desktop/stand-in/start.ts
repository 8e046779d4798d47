/**
 * Starts the entry of the desktop app in plain Node, with electron.ts in place of Electron. The arguments are those of
 * the desktop app.
 */
import { registerHooks } from 'node:module';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';

const STAND_IN = new URL('./electron.ts', import.meta.url).href;
const entry = argv[2] ?? '';

registerHooks({
  resolve: (name, context, next) => (name === 'electron' ? { url: STAND_IN, shortCircuit: true } : next(name, context)),
});
Object.assign(process, { getSystemVersion: () => '0' });
argv.splice(1, 1);
const { answerSignals, loaded }: { answerSignals(): void; loaded: PromiseWithResolvers<void> } = await import(STAND_IN);
await import(pathToFileURL(entry).href);
answerSignals();
loaded.resolve();
