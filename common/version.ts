/** The release, as `service.md` 9 counts it. A test holds it equal to package.json's. */
export const VERSION = '1.0.4';
