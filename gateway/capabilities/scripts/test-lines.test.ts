import { expect, test } from 'vitest';
import type { Script, ScriptService } from '#sdk';
import { CapabilityBroker } from '../capability-broker.ts';
import { grantsPrincipal } from '../principal.ts';
import { createScripts, TEST_LINE_CHARS_MAX, TEST_LINES_MAX } from './scripts.ts';

test('a tested script that logs endlessly keeps the first lines, each cut', async () => {
  const script: Script = {
    async call(_input, { capabilities }) {
      const message = 'x'.repeat(TEST_LINE_CHARS_MAX + 1);
      for (let i = 0; i <= TEST_LINES_MAX; i++) await capabilities?.call('log', { message });
      return 'done';
    },
    close: () => undefined,
  };
  const service: ScriptService = { compile: () => Promise.resolve(script) };
  const scripts = createScripts({ scripts: service, door: () => door });
  const logging = {
    calls: {
      log: (
        { message, level }: { message: string; level: 'info' },
        context: { log(level: string, text: string): void },
      ) => {
        context.log(level, message);
        return null;
      },
    },
    close: () => Promise.resolve(),
  };
  const door = new CapabilityBroker([logging, scripts]);
  const draft = { id: 's', code: '', deadline: 1 };
  const { result, lines } = await scripts.testScript('p', draft, null, grantsPrincipal(0));
  expect([result, lines.length, lines[0]?.message.length]).toEqual(['done', TEST_LINES_MAX, TEST_LINE_CHARS_MAX]);
});
