/** IDs of projects and pipelines, as accepted by the admin API (common/model/ids.ts, which checks again). */
export const PROJECT_ID = /^[a-z0-9][a-z0-9-]{0,62}$/;
