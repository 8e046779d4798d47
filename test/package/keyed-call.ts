import { type AdminReply, createAdminClient } from '#test/admin-client.ts';
import { routePipeline } from '#test/route-pipeline.ts';
import { until } from '#test/until.ts';

/** A started Sluice that is not set up yet. */
export interface FreshService {
  /** Origin, such as http://127.0.0.1:8091. */
  ui: string;
  gateway: string;
  setupToken: string;
}

const PASSWORD = 'a long enough pass phrase';
const ANSWER_MS_MAX = 120_000;
/** Scripts have a deadline to load, which the first one exceeds on an emulated processor. */
const START_TRIES = 4;

/**
 * Sets it up like a technician, creates a route with a script and a key for it, and calls it. Returns a line for each
 * response; throws if one is not as expected.
 */
export async function answerKeyedCall({ ui, gateway, setupToken }: FreshService): Promise<string[]> {
  const admin = createAdminClient(ui);
  await admin.ok('POST', '/setup', { token: setupToken, name: 'admin', password: PASSWORD });
  await admin.logIn('admin', PASSWORD);
  await admin.ok('POST', '/projects', { id: 'line', name: 'Line' });
  const code = 'export default (msg) => ({ status: 200, body: { doubled: msg.payload.query.n * 2 } })';
  const middle = [{ kind: 'transform', settings: { scopes: [], code, deadline: 60 } }];
  await admin.ok('POST', '/projects/line/pipelines', routePipeline({ id: 'doubled', path: '/doubled', middle }));
  const tries = await startWithin(START_TRIES, () =>
    admin.request('POST', '/projects/line/pipelines/doubled/start', {}),
  );
  const { key } = await admin.ok<{ key: string }>('POST', '/projects/line/keys', { name: 'trial', scopes: [] });

  const call = async (headers: Record<string, string>): Promise<string> => {
    const answer = await fetch(`${gateway}/doubled?n=21`, { headers });
    return `${answer.status} ${await answer.text()}`;
  };
  const refused = await call({});
  if (!refused.startsWith('401 ')) throw new Error(`without a key it answered ${refused}; expected 401`);
  const expected = '200 {"doubled":42}';
  let answered = '';
  const asExpected = async (): Promise<boolean> => (answered = await call({ 'X-API-Key': key })) === expected;
  await until(`the keyed call answers ${expected}`, asExpected, { timeoutMs: ANSWER_MS_MAX, everyMs: 500 });
  const verified = await admin.ok<{ ok: boolean }>('GET', '/audit/verify');
  if (!verified.ok) throw new Error('the audit journal does not verify');
  return [
    `pipeline started at try ${tries}`,
    `without a key: ${refused.slice(0, 3)}`,
    `with a key: ${answered}`,
    'audit journal: whole',
  ];
}

/** The number of the successful attempt. */
async function startWithin(triesMax: number, start: () => Promise<AdminReply>): Promise<number> {
  for (let tries = 1; ; tries++) {
    const { status, body } = await start();
    if (status < 300) return tries;
    const told = JSON.stringify(body);
    if (tries === triesMax || !told.includes('deadline')) throw new Error(`the pipeline did not start: ${told}`);
  }
}
