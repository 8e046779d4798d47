import { expect, test } from 'vitest';
import { SluiceError } from '#common/errors/catalogue.ts';
import { createLogger } from '#common/node/log.ts';
import { createUnsavedChanges } from './unsaved-changes.ts';

test('an unresponsive journal is asked once per round, however many changes wait', async () => {
  const unsaved = createUnsavedChanges(createLogger('test', () => {}));
  const asked: string[] = [];
  for (const id of ['a', 'b', 'c']) {
    const save = () => {
      asked.push(id);
      return Promise.reject(new SluiceError('audit_unavailable', 'Made by the test.'));
    };
    unsaved.keep({
      id,
      begun: 0,
      what: { phrase: 'quoted', values: { text: id } },
      record: {},
      save,
      release: () => {},
    });
  }
  await unsaved.retry();
  await unsaved.close();
  expect(asked).toEqual(['a', 'a']);
  expect(unsaved.list()).toHaveLength(3);
});
