import { expect, test } from 'vitest';
import { credentialsOf, type SavedTest, savedTests, withoutCredentials } from './saved-test.ts';

const withHeaders = (headers: Record<string, string>): SavedTest => ({
  name: 'Valid order',
  request: { node: 'in', params: {}, headers, query: '', body: '' },
  expected: 201,
});

test.each(['Authorization', 'proxy-authorization', 'Cookie', 'X-API-Key'])(
  'a saved test contains no value of the header %s',
  (name) => {
    const typed = withHeaders({ [name]: 'pw', 'X-Line': '7' });
    const { error } = savedTests.safeParse([typed]);
    expect(error?.issues.map(({ path }) => path)).toEqual([[0, 'request', 'headers', name]]);
    expect(JSON.stringify(error?.issues)).not.toContain('pw');
    expect(credentialsOf(typed.request)).toEqual([name]);
    const saved = withoutCredentials(typed);
    expect(saved).toEqual(withHeaders({ [name]: '', 'X-Line': '7' }));
    expect([savedTests.safeParse([saved]).success, credentialsOf(saved.request)]).toEqual([true, []]);
  },
);
