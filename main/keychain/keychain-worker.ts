import { LOADING_FAILED, type KeychainAnswer, type KeychainQuestion } from './keychain-messages.ts';

/**
 * The process that accesses the OS keychain. libsecret waits 25 s for a hanging service, and the calling process cannot
 * exit before (tested), so the calls are made in a process that can be killed. keytar is loaded only here, on the first
 * request: without libsecret the import itself throws.
 */
let loading: ReturnType<typeof load> | null = null;

async function load() {
  try {
    return (await import('keytar')).default;
  } catch (error) {
    throw new Error(LOADING_FAILED, { cause: error });
  }
}

async function answer({ op, service, account, value }: KeychainQuestion): Promise<string | null> {
  const keytar = await (loading ??= load());
  switch (op) {
    case 'get':
      return keytar.getPassword(service, account);
    case 'set':
      await keytar.setPassword(service, account, value);
      return null;
    case 'remove':
      await keytar.deletePassword(service, account);
      return null;
  }
}

function reply(message: KeychainAnswer): void {
  process.send?.(message, undefined, {}, () => {});
}

process.on('message', (question: KeychainQuestion) => {
  answer(question).then(
    (value) => reply({ id: question.id, value }),
    (error: unknown) => reply({ id: question.id, error: error instanceof Error ? error.message : 'unknown error' }),
  );
});
// The host has exited. A plain exit would wait for a hanging call.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
