/** The place where a remedy is carried out. */
export type Place = 'key' | 'route' | 'pipeline' | 'pipelines' | 'routes' | 'tags' | 'gateway' | 'overview';

/**
 * A remedy lets a refused request pass. It declares where it is carried out (null: at the caller) and the compared
 * values that its sentences in `common/languages/<language>/errors/remedies.ts` use.
 */
interface Declared {
  readonly place: Place | null;
  readonly values?: readonly string[];
}

export const REMEDIES = {
  createKey: { place: 'key', values: ['missing'] },
  routeScopes: { place: 'route', values: ['missing'] },
  nodeScope: { place: 'pipeline', values: ['missing', 'node'] },
  grants: { place: 'pipeline', values: ['missing'] },
  scriptScopes: { place: 'pipeline', values: ['missing', 'node'] },
  callerHttp: { place: null },
  noTrailers: { place: null },
  network: { place: null },
  useTls: { place: 'gateway' },
  newerTls: { place: null },
  trust: { place: 'gateway' },
  fewerHeaders: { place: null },
  tryAgain: { place: 'overview' },
  repeatChecked: { place: null },
  fewerConnections: { place: null },
  waitAnswers: { place: null },
  startPipeline: { place: 'pipeline' },
  startSome: { place: 'pipelines' },
  usePath: { place: 'routes' },
  useMethod: { place: 'routes' },
  exactPath: { place: 'routes' },
  addAddress: { place: 'route', values: ['ip'] },
  trustProxy: { place: 'gateway' },
  addOrigin: { place: 'route', values: ['origin'] },
  corsOn: { place: 'route', values: ['origin'] },
  sendKey: { place: null },
  sendOnce: { place: null },
  sendWhole: { place: null },
  newKey: { place: 'key' },
  keyLimits: { place: 'key' },
  pipelineLimits: { place: 'pipeline' },
  resumeKey: { place: 'key' },
  plantZone: { place: 'gateway' },
  keyOfProject: { place: 'key', values: ['routeProject'] },
  confirmVault: { place: 'overview' },
  stopWrong: { place: null },
  callLess: { place: null },
  raiseRate: { place: 'route' },
  smallerBody: { place: null },
  takeReply: { place: null },
  raiseSize: { place: 'route' },
  plainBody: { place: null },
  sendUtf8: { place: null },
  fitBody: { place: null },
  fitValue: { place: null },
  freeDisk: { place: 'gateway' },
  freeSpace: { place: 'overview' },
  fixDevice: { place: 'pipeline', values: ['node'] },
  raiseAge: { place: 'pipeline', values: ['node'] },
  awaitLimits: { place: null },
  tagLimits: { place: 'tags' },
  endStop: { place: 'tags' },
  awaitStop: { place: null },
  raiseTimeout: { place: 'route' },
  everyPath: { place: 'pipeline' },
  fixPipeline: { place: 'pipeline' },
} as const satisfies Record<string, Declared>;

export type RemedyName = keyof typeof REMEDIES;

/** Names of the values that a remedy can use. */
export type RemedyValues<N extends RemedyName> = (typeof REMEDIES)[N] extends { values: readonly (infer V)[] }
  ? V & string
  : never;
