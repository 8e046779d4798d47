/** Ids of projects and pipelines, as the admin API takes them (common/model/ids.ts, which checks again). */
export const PROJECT_ID = /^[a-z0-9][a-z0-9-]{0,62}$/;
