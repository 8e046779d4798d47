import { expect, test } from 'vitest';
import { scriptTypes } from '#common/capabilities/completions.ts';
import { readCapabilities } from './capability-types.ts';

const calls = readCapabilities(scriptTypes());
const named = (family: string, name: string) => calls.find((one) => one.family === family && one.name === name);

test('every capability call is read with its signature, parameters and description', () => {
  expect(named('tags', 'read')).toEqual({
    family: 'tags',
    name: 'read',
    signature: '(path: string, maxAge?: number): Promise<TagValue>',
    parameters: ['path'],
    doc: expect.stringMatching(
      /^Reads one tag\.\nNeeds the scope tag:read\.\n@param path Such as .+\n@param maxAge Seconds; /,
    ),
  });
  expect(named('db', 'query')?.parameters).toEqual(['name']);
  expect(named('tags', 'writeMany')?.parameters).toEqual(['writes']);
  expect(named('', 'log')?.signature).toMatch(/^\(/);
});

test('a call with two forms is offered once', () => {
  const names = calls.map(({ family, name }) => `${family}.${name}`);
  expect(names).toEqual([...new Set(names)]);
});

test('every family is present, and the interfaces before them are ignored', () => {
  expect(new Set(calls.map(({ family }) => family))).toContain('files');
  expect(calls.some(({ name }) => name === 'TagValue' || name === 'payload')).toBe(false);
  expect(calls.every(({ doc }) => doc !== '')).toBe(true);
});

test('a text without a declaration gives an empty result', () => {
  expect(readCapabilities('')).toEqual([]);
  expect(readCapabilities('tags.read(path)')).toEqual([]);
});
