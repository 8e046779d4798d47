import type { gatewayPage as english } from '../en/gateway-page.ts';

export const gatewayPage: typeof english = {};
