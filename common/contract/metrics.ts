import { declareCall } from './declaration.ts';

export const metricsContract = {
  read: declareCall({
    method: 'get',
    path: '/metrics',
    access: 'bearer',
    summary: 'Read metrics',
    description:
      'Returns metrics in the text format of Prometheus. The bearer token is the setting `metricsToken`; while none is set, the reply is 404. The same text is at `/metrics`, without the prefix.',
    errors: ['no_session', 'unknown'],
    response: null,
    contentType: 'text/plain',
  }),
};
