import {
  DataType,
  MessageSecurityMode,
  SecurityPolicy,
  StatusCodes,
  Variant,
  VariantArrayType,
} from 'node-opcua-client';
import { OPCUAServer, type OPCUAServerOptions } from 'node-opcua-server';
import type { PeerCommand, PeerOptions, PeerReport } from './opcua-peer.ts';

/**
 * An OPC UA server for tests, run as a child process by opcua-peer.ts; its options are the first argument, as JSON. Ends with its parent.
 * The variables are in namespace 1, with text node ids.
 */
const VARIABLES: readonly {
  id: string;
  dataType: DataType;
  value: unknown;
  list?: boolean;
  matrix?: [number, number];
}[] = [
  { id: 'Bool', dataType: DataType.Boolean, value: true },
  { id: 'SByte', dataType: DataType.SByte, value: -7 },
  { id: 'Byte', dataType: DataType.Byte, value: 200 },
  { id: 'Int16', dataType: DataType.Int16, value: -300 },
  { id: 'UInt16', dataType: DataType.UInt16, value: 60_000 },
  { id: 'Int32', dataType: DataType.Int32, value: -70_000 },
  { id: 'UInt32', dataType: DataType.UInt32, value: 4_000_000_000 },
  { id: 'Int64', dataType: DataType.Int64, value: [0xffffffff, 0xfffffff9] },
  { id: 'UInt64', dataType: DataType.UInt64, value: [0xffffffff, 0xffffffff] },
  { id: 'Float', dataType: DataType.Float, value: 0.5 },
  { id: 'Double', dataType: DataType.Double, value: 21.25 },
  { id: 'NaN', dataType: DataType.Double, value: NaN },
  { id: 'String', dataType: DataType.String, value: 'Füller 7' },
  { id: 'DateTime', dataType: DataType.DateTime, value: new Date('2026-03-01T06:00:00Z') },
  { id: 'Bytes', dataType: DataType.ByteString, value: Buffer.from([1, 2, 255]) },
  { id: 'Text', dataType: DataType.LocalizedText, value: { text: 'running' } },
  { id: 'List', dataType: DataType.Int32, value: [1, 2, 3], list: true },
  { id: 'Long', dataType: DataType.String, value: 'x'.repeat(70_000) },
  { id: 'Matrix', dataType: DataType.Double, value: [1, 2, 3, 4, 5, 6], matrix: [2, 3] },
];

const options = JSON.parse(process.argv[2] ?? '{}') as PeerOptions;
const report = (message: PeerReport) => process.send?.(message);

const store = {
  referenceCounter: 0,
  initialize: async () => undefined,
  dispose: async () => undefined,
  checkCertificate: async () => StatusCodes.Good,
  verifyCertificate: async () => 'Good',
  getTrustStatus: async () => StatusCodes.Good,
  trustCertificate: async () => undefined,
  rejectCertificate: async () => undefined,
  addIssuer: async () => undefined,
  addRevocationList: async () => undefined,
};

const server = new OPCUAServer({
  port: options.port,
  host: '127.0.0.1',
  hostname: '127.0.0.1',
  certificateFile: options.certificateFile,
  privateKeyFile: options.privateKeyFile,
  serverCertificateManager: store as unknown as NonNullable<OPCUAServerOptions['serverCertificateManager']>,
  buildInfo: { productName: options.productName ?? 'Filler controller' },
  serverInfo: { applicationUri: options.applicationUri },
  allowAnonymous: options.users === undefined,
  userManager: { isValidUser: (name: string, password: string) => options.users?.[name] === password },
  securityModes: [MessageSecurityMode.None, MessageSecurityMode.Sign, MessageSecurityMode.SignAndEncrypt],
  securityPolicies: [
    SecurityPolicy.None,
    SecurityPolicy.Basic256Sha256,
    SecurityPolicy.Aes128_Sha256_RsaOaep,
    SecurityPolicy.Aes256_Sha256_RsaPss,
  ],
  ...(options.advertised !== undefined && { advertisedEndpoints: options.advertised }),
});

await server.initialize();
const space = server.engine.addressSpace;
if (space === null) throw new Error('no address space');
const variables = new Map(
  VARIABLES.map(({ id, dataType, value, list, matrix }) => {
    const shape = matrix !== undefined ? 'Matrix' : list === true ? 'Array' : 'Scalar';
    const variable = space.getOwnNamespace().addVariable({
      browseName: id,
      nodeId: `s=${id}`,
      organizedBy: space.rootFolder.objects,
      dataType,
      ...(list === true && { valueRank: 1 }),
      ...(matrix !== undefined && { valueRank: 2, arrayDimensions: matrix }),
      ...(id === 'Text' && { accessLevel: 'CurrentRead', userAccessLevel: 'CurrentRead' }),
      value: {
        dataType,
        value,
        arrayType: VariantArrayType[shape],
        ...(matrix !== undefined && { dimensions: matrix }),
      },
    });
    return [id, { variable, dataType }] as const;
  }),
);

if (options.witnessed !== undefined) {
  const { variable } = variables.get(options.witnessed) ?? {};
  variable?.on('value_changed', ({ value }) =>
    report({ ms: Number(process.hrtime.bigint()) / 1e6, value: value.value as unknown }),
  );
}

const listen = async () => {
  await server.start();
  report({ ready: true });
};

process.on('message', (command: PeerCommand) => {
  if (command.id === '') return void listen();
  const found = variables.get(command.id);
  if (found === undefined) return;
  const status = StatusCodes[command.status as 'Good'];
  if (command.status !== undefined && command.value === undefined)
    found.variable.setValueFromSource({ dataType: found.dataType, value: 0 }, status);
  else
    found.variable.setValueFromSource(
      new Variant({ dataType: found.dataType, value: command.value }),
      status,
      new Date(command.time ?? Date.now()),
    );
});
process.on('disconnect', () => process.exit(0));

if (options.standby === true) report({ ready: true });
else await listen();
