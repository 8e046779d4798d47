import { expect, test } from 'vitest';
import { nodeOf, testRun, withBody } from '../sdk/testing.ts';
import { log } from './index.ts';

test('a line has its level and the text of the template; the message is passed on unchanged', async () => {
  const node = await nodeOf(log, { message: 'order {{payload.body.id}} {{payload.body.none}}', level: 'warn' });
  const [run, message] = [testRun(), withBody({ id: 7 })];
  expect(node.run(message, run)).toEqual({ port: 'out', message });
  expect(run.lines).toEqual([{ level: 'warn', message: 'order 7 ' }]);
});

test('the level is info by default', async () => {
  const run = testRun();
  void (await nodeOf(log, { message: 'x' })).run(withBody(1), run);
  expect(run.lines).toEqual([{ level: 'info', message: 'x' }]);
});

test('a large payload leads to a shortened line, not to a failure', async () => {
  const run = testRun();
  const node = await nodeOf(log, { message: '{{payload.body}}'.repeat(100) });
  expect(node.run(withBody('x'.repeat(5_000_000)), run)).toMatchObject({ port: 'out' });
  expect(run.lines[0]?.message.length).toBe(4_097);
});
