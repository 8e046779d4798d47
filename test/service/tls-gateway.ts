import { startGateway, type TestGateway } from '#test/gateway.ts';
import type { TestKey } from '#test/make-key.ts';
import { fixedReply, type PipelineInput, routePipeline } from '#test/route-pipeline.ts';
import { type TestCertificate, testCertificate } from '#test/test-certificate.ts';
import { strictPipeline } from './strict-rows/pipeline.ts';

const OPEN = { authType: 'none' };
export const BIG_REPLY_BYTES = 8 * 1024 * 1024;

/** A gateway with TLS: the routes of the table of strict HTTP, a long and a slow reply. */
export async function startTlsGateway(key: TestKey): Promise<{ proof: TestCertificate; gateway: TestGateway }> {
  const proof = await testCertificate();
  return { proof, gateway: await startGateway({ pipelines: pipelines(), keys: [key], settings: proof.settings }) };
}

export function pipelines(): PipelineInput[] {
  return [
    strictPipeline(),
    routePipeline({ id: 'big', path: '/big', route: OPEN, ...fixedReply('x'.repeat(BIG_REPLY_BYTES)) }),
    routePipeline({
      id: 'slow',
      path: '/slow',
      route: OPEN,
      middle: [{ kind: 'delay', settings: { seconds: 1 } }],
    }),
  ];
}
