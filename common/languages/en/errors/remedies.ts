import { remedyTexts } from '#common/languages/error-texts.ts';

export const remedies = remedyTexts({
  createKey: { title: 'Create a key with {{missing}}', help: '', act: 'Create key' },
  routeScopes: {
    title: 'Require fewer scopes',
    help: 'Remove {{missing}} from the Required scopes of the route. Keys without it can then call the route, too.',
    act: 'Open route',
  },
  nodeScope: {
    title: 'Remove the need for the scope',
    help: 'Remove the part of the node {{node}} that needs {{missing}}.',
    act: 'Open pipeline',
  },
  grants: {
    title: 'Grant the scope to the pipeline',
    help: 'Add {{missing}} to the grants of the pipeline. Only an Administrator can then start it.',
    act: 'Open pipeline',
  },
  scriptScopes: {
    title: 'Request the scope in the script',
    help: 'Add {{missing}} to the setting Scopes of the node {{node}}.',
    act: 'Open pipeline',
  },
  keyLimits: {
    title: 'Change the limits of the key',
    help: 'Add the missing entry, if the caller needs it.',
    act: 'Open API keys',
  },
  callerHttp: {
    title: 'Fix the calling program',
    help: 'It must send valid HTTP/1.1. Contact its developers.',
    act: '',
  },
  noTrailers: { title: 'Send no trailers', help: 'The last chunk must end the body.', act: '' },
  network: {
    title: 'Send without pauses',
    help: 'Check the network, and whether the caller stalls.',
    act: '',
  },
  useTls: {
    title: 'Call with https://',
    help: 'Or open an additional plain HTTP port for callers that cannot use TLS.',
    act: 'Open Gateway settings',
  },
  newerTls: {
    title: 'Use TLS 1.2 or 1.3 in the caller',
    help: 'An update of its firmware or library may provide it.',
    act: '',
  },
  trust: {
    title: 'Give the certificate to the caller',
    help: 'Download it in the Gateway settings. The caller must use a name or address that is in the certificate.',
    act: 'Open Gateway settings',
  },
  fewerHeaders: { title: 'Send fewer headers', help: 'Cookies are the usual cause.', act: '' },
  tryAgain: {
    title: 'Try again in a moment',
    help: 'If this continues, find the caller that floods the gateway.',
    act: 'Open Overview',
  },
  repeatChecked: {
    title: 'Check what the pipeline has already done, then repeat the call',
    help: 'The run may have been stopped halfway.',
    act: '',
  },
  fewerConnections: {
    title: 'Keep connections open and reuse them',
    help: 'A caller that opens a new one for each call reaches the limit.',
    act: '',
  },
  waitAnswers: { title: 'Wait for the responses', help: 'Or use several connections.', act: '' },
  startPipeline: { title: 'Start the pipeline', help: 'Then repeat the call.', act: 'Open pipeline' },
  startSome: { title: 'Start the pipeline', help: 'Then repeat the call.', act: 'Open Pipelines' },
  usePath: {
    title: 'Call a route that exists',
    help: 'The page Routes lists all routes, each with a sample call.',
    act: 'Open Routes',
  },
  useMethod: { title: 'Use the method of the route', help: 'Or add a route with this method.', act: 'Open Routes' },
  exactPath: {
    title: 'Call the path exactly as the route defines it',
    help: 'With or without the trailing slash.',
    act: 'Open Routes',
  },
  addAddress: { title: 'Allow the address', help: 'Add {{ip}} to the Allowed IPs of the route.', act: 'Open route' },
  trustProxy: {
    title: 'Trust the proxy',
    help: 'Add it to Trusted proxies. The address of the caller is then checked, not that of the proxy.',
    act: 'Open Gateway settings',
  },
  addOrigin: {
    title: 'Allow the origin',
    help: 'Add {{origin}} to the Allowed origins of the route.',
    act: 'Open route',
  },
  corsOn: {
    title: 'Enable CORS',
    help: 'Also add {{origin}} to the Allowed origins of the route.',
    act: 'Open route',
  },
  sendKey: { title: 'Send the key', help: 'In the header X-API-Key of each call.', act: '' },
  sendOnce: { title: 'Send the header once', help: 'A proxy may add a second one.', act: '' },
  sendWhole: { title: 'Send the complete key', help: 'Copy it again, from slc_ to its last character.', act: '' },
  newKey: { title: 'Create a new key', help: 'Then install it on the caller.', act: 'Create key' },
  keyOfProject: {
    title: 'Use a key of {{routeProject}}',
    help: 'A key is valid only for routes of its own project.',
    act: 'Create key',
  },
  confirmVault: {
    title: 'Confirm the vault',
    help: 'An Administrator must check keys and users first.',
    act: 'Open Overview',
  },
  stopWrong: {
    title: 'Stop the calls without a valid key',
    help: 'Then wait until the limit for failed attempts allows calls again.',
    act: '',
  },
  callLess: { title: 'Call less often', help: 'The header Retry-After gives the delay.', act: '' },
  raiseRate: {
    title: 'Raise the rate limit',
    help: 'Rate limit and Burst limit of the route apply to all its callers together.',
    act: 'Open route',
  },
  smallerBody: { title: 'Send a smaller body', help: '', act: '' },
  takeReply: { title: 'Read the complete reply', help: '', act: '' },
  raiseSize: { title: 'Allow larger bodies', help: 'Raise the Max payload size of the route.', act: 'Open route' },
  plainBody: { title: 'Send the body uncompressed', help: 'Without the header Content-Encoding.', act: '' },
  sendUtf8: { title: 'Send the body as UTF-8', help: 'And send its type: application/json for JSON.', act: '' },
  fitBody: {
    title: 'Send a body that matches its Content-Type',
    help: 'Or send the Content-Type that matches the body.',
    act: '',
  },
  fitValue: { title: 'Send a valid value', help: 'The cause names the value and what is expected.', act: '' },
  freeDisk: {
    title: 'Free space for the journal',
    help: 'Or repair the disk. The journal then continues automatically.',
    act: 'Open Gateway settings',
  },
  freeSpace: {
    title: 'Free disk space',
    help: 'The alarms name who stored most recently. If the outbox is full, restore its targets.',
    act: 'Open Overview',
  },
  raiseTimeout: { title: 'Allow more time', help: 'Raise the Timeout of the route.', act: 'Open route' },
  everyPath: {
    title: 'Reply on every path',
    help: 'Each path through the pipeline must reach an HTTP Response in time.',
    act: 'Open pipeline',
  },
  fixPipeline: {
    title: 'Fix the pipeline',
    help: 'Its runs show what each node received and passed on.',
    act: 'Open pipeline',
  },
});
