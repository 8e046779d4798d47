import { metricsContract } from '#common/contract/metrics.ts';
import { SluiceError } from '#common/errors/catalogue.ts';
import { METRICS_TYPE } from '../metrics/prometheus.ts';
import { mayScrape, METRICS_OFF, SCRAPE_TOKEN_EXPECTED } from '../metrics/scrape-token.ts';
import { defineCall, WRITTEN } from './call.ts';

/** Also served at `/metrics`, the default path of Prometheus. */
export const metricsCall = defineCall(metricsContract.read, {
  async handle({ settings, metrics }, { request, response }) {
    const { metricsToken } = settings.current();
    if (metricsToken === null) throw new SluiceError('unknown', METRICS_OFF);
    if (!mayScrape(request.headers.authorization, metricsToken)) {
      response.set('WWW-Authenticate', 'Bearer');
      throw new SluiceError('no_session', SCRAPE_TOKEN_EXPECTED);
    }
    response.type(METRICS_TYPE).send(await metrics.text());
    return WRITTEN;
  },
});

export const metricsCalls = [metricsCall];
