/** The defaults of a route (docs/spec/routes.md#settings). */
export const ROUTE_DEFAULTS = {
  authType: 'api_key',
  requiredScopes: [],
  allowedIps: null,
  rateLimit: 0,
  burstLimit: 0,
  maxPayloadSize: 1_048_576,
  corsEnabled: false,
  allowedOrigins: ['*'],
  headerWhitelist: [],
  timeout: 30,
} as const;
