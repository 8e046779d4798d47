import type { TestService } from './service.ts';
import { until } from './until.ts';

/** Waits until a gateway with another process is running. */
export async function nextGateway(
  service: Pick<TestService, 'status'>,
  pid: number | null,
  options?: Parameters<typeof until>[2],
): Promise<void> {
  await until(
    'another gateway runs',
    async () => {
      const { gateway } = await service.status();
      return gateway.state === 'running' && gateway.pid !== pid;
    },
    options,
  );
}
