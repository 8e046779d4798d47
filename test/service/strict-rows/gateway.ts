import { startGateway, type TestGateway } from '#test/gateway.ts';
import type { TestKey } from '#test/make-key.ts';
import { strictPipeline } from './pipeline.ts';

export function startStrictGateway(key: TestKey): Promise<TestGateway> {
  return startGateway({ pipelines: [strictPipeline()], keys: [key] });
}
