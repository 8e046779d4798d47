export const gatewayPage = {};
