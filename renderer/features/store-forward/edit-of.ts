import type { EgressEdit, EgressPayload } from '#common/model/egress.ts';

/** The content of the fields of the edit dialog. */
export interface EditFields {
  path: string;
  contentType: string;
  text: string;
}

export function fieldsOf({ path, contentType, text }: EgressPayload): EditFields {
  return { path, contentType: contentType ?? '', text: text ?? '' };
}

/** Only changed fields; null: no change. An emptied content type or body is removed. */
export function editOf(payload: EgressPayload, fields: EditFields): EgressEdit | null {
  const before = fieldsOf(payload);
  const contentType = fields.contentType.trim();
  const edit: EgressEdit = {
    ...(fields.path !== before.path && { path: fields.path }),
    ...(contentType !== before.contentType && { contentType: contentType === '' ? null : contentType }),
    ...(payload.base64 === null && fields.text !== before.text && { text: fields.text === '' ? null : fields.text }),
  };
  return Object.keys(edit).length === 0 ? null : edit;
}

/** As the admin API checks it: percent-encoded, so visible ASCII only, without a fragment. */
export function isPath(path: string): boolean {
  return /^\/[\x21\x22\x24-\x7e]*$/.test(path);
}
