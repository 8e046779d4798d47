import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { TagDefinition, TagValue } from '#common/model/tag.ts';
import { useTagValues } from '#api/data-queries.ts';
import { usePipelines } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { LoadError } from '#ui/load-error.tsx';
import { Icon } from '#ui/icon.tsx';
import { Panel } from '#ui/panel.tsx';
import { ThingAccess } from '#ui/thing-access.tsx';
import { Ago, Moment } from '#ui/time.tsx';
import { DeleteTagDialog } from './delete-tag-dialog.tsx';
import { isDrawn } from './recorded-tags.ts';
import { TagDialog } from './tag-dialog.tsx';
import { isUnset } from './tag-rows.ts';
import { TagFacts } from './tag-facts.tsx';
import { Quality, ValueText } from './tag-value.tsx';
import { TagTrend } from './tag-trend.tsx';
import { UserList } from './user-list.tsx';
import { usersOfTag } from './users.ts';
import { WrittenBy } from './written-by.tsx';
import { WriteDialog } from './write-dialog.tsx';
import type { NoticeProps } from '#ui/dialog-props.ts';

interface Props extends NoticeProps {
  project: string;
  tag: TagDefinition;
}

type Open = 'none' | 'write' | 'change' | 'delete';

/** One tag: its current value, its trend, its properties and its users. */
export function TagDetails({ project, tag, onNotice, onClose }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open>('none');
  const values = useTagValues(project, [tag.path]);
  const pipelines = usePipelines();
  const users = usersOfTag(pipelines.data ?? [], project, tag.path);
  const close = () => setOpen('none');
  return (
    <Panel
      className="data-details"
      title={tag.title === '' ? tag.path : tag.title}
      side={
        <Button variant="subtle" className="square" aria-label={t('data.tags.closeDetails')} onClick={onClose}>
          <Icon name="close" />
        </Button>
      }
    >
      <div className="body stack scroll">
        {tag.title !== '' && <p className="mono break">{tag.path}</p>}
        {values.isError && <LoadError error={values.error} />}
        <Now tag={tag} value={values.data?.get(tag.path)} onWrite={() => setOpen('write')} />
        {isDrawn(tag) && <TagTrend project={project} tag={tag} />}
        {tag.history === null && <p className="t2">{t('data.tags.notRecorded')}</p>}
        <TagFacts tag={tag} />
        <h3>{t('data.users.title')}</h3>
        <UserList project={project} users={users} none={t('data.users.noneTag')} />
        {tag.writable && <WrittenBy project={project} kind="tag" thing={tag.path} />}
        <ThingAccess project={project} name={tag.path} uses={['writeTags', 'readTags', 'readHistory']} />
        <Acts onOpen={setOpen} />
      </div>
      {open === 'write' && <WriteDialog {...{ project, tag, users, onNotice, onClose: close }} />}
      {open === 'change' && <TagDialog {...{ project, tag, folder: '', onClose: close }} />}
      {open === 'delete' && (
        <DeleteTagDialog {...{ project, tag, users, onNotice, onClose: close, onDeleted: onClose }} />
      )}
    </Panel>
  );
}

function Now({ tag, value, onWrite }: { tag: TagDefinition; value: TagValue | undefined; onWrite: () => void }) {
  const { t } = useTranslation();
  const mayEdit = usePermission('edit_pipelines');
  return (
    <div className="tag-now">
      <span className="big">
        <ValueText value={value} />
      </span>
      <span className="row wrap">
        <Quality value={value} />
        {value && value.time !== null && (
          <span className="t2">
            <Ago iso={value.time} />, <Moment iso={value.time} precise />
          </span>
        )}
      </span>
      {value && value.reason !== null && !isUnset(value) && (
        <p className="t2 break">{t('common.reason', { reason: value.reason })}</p>
      )}
      {tag.writable && mayEdit && (
        <Button className="start" onClick={onWrite}>
          {t('data.write.open')}
        </Button>
      )}
      {tag.writable && !mayEdit && <p className="t3">{t('data.write.notAllowed')}</p>}
    </div>
  );
}

function Acts({ onOpen }: { onOpen: (open: Open) => void }) {
  const { t } = useTranslation();
  const mayEdit = usePermission('edit_pipelines');
  const mayAudit = usePermission('view_audit');
  return (
    <div className="row wrap">
      {mayEdit && <Button onClick={() => onOpen('change')}>{t('data.tags.change')}</Button>}
      {mayEdit && (
        <Button variant="subtle" onClick={() => onOpen('delete')}>
          {t('data.tags.delete')}
        </Button>
      )}
      {mayAudit && (
        <Link className="touch" href="/journal?show=admin">
          {t('data.tags.journal')}
        </Link>
      )}
    </div>
  );
}
