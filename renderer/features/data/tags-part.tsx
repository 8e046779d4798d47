import { Button, Menu, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TagDefinition } from '#common/model/tag.ts';
import { useAllTagValues, useTags } from '#api/data-queries.ts';
import { usePermission } from '#api/session.ts';
import { LoadError } from '#ui/load-error.tsx';
import { LoadingRows } from '#ui/loading-rows.tsx';
import { Icon } from '#ui/icon.tsx';
import { NoticeLine, type Notice } from '#ui/notice-line.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { numberText } from '#ui/quantity.ts';
import { Segments } from '#ui/segments.tsx';
import { useAddress } from '#ui/use-address.ts';
import { RowMenu } from '#ui/row-menu.tsx';
import { DataHead } from './data-head.tsx';
import { exportTags } from './download.ts';
import { StopWritesDialog } from './stop-writes-dialog.tsx';
import { WriteStopNotes } from './write-stop-notes.tsx';
import { ImportTagsDialog } from './import-tags-dialog.tsx';
import { TagDetails } from './tag-details.tsx';
import { TagDialog } from './tag-dialog.tsx';
import { badPaths, folderOf, foundTags } from './tag-rows.ts';
import { TagTable } from './tag-table.tsx';

/** With more tags than this, bad ones are searched only on request. */
const WATCHED_MAX = 1_000;

type Open = 'none' | 'create' | 'import' | 'stop';

/** Live values of the plant, by folder. */
export function TagsPart({ project }: { project: string }) {
  const { t } = useTranslation();
  const tags = useTags(project);
  const address = useAddress();
  const onlyBad = address.read('show') === 'bad';
  const count = tags.data?.length ?? 0;
  const all = useAllTagValues(project, count > 0 && (onlyBad || count <= WATCHED_MAX));
  const bad = all.data && badPaths(all.data);
  const [open, setOpen] = useState<Open>('none');
  const [notice, setNotice] = useState<Notice | null>(null);
  const chosen = tags.data?.find(({ path }) => path === address.read('tag'));
  const choose = (path: string) => address.change({ tag: path });
  return (
    <>
      <DataHead
        answer={tags.data && <Answer count={count} bad={bad?.length ?? 0} />}
        actions={<TagActions tags={tags.data ?? []} onOpen={setOpen} project={project} />}
      />
      {all.isError && !tags.isError && <LoadError error={all.error} title={t('data.tags.noValues')} />}
      <NoticeLine notice={notice} onClose={() => setNotice(null)} />
      <WriteStopNotes project={project} />
      <LoadingRows of={tags} />
      {tags.data?.length === 0 && <NoTags onOpen={setOpen} />}
      {tags.data && count > 0 && (
        <>
          <FindRow {...address} bad={bad?.length} />
          <div className={chosen ? 'fill data-split open' : 'fill data-split'}>
            <Panel className="data-list">
              <TagTable
                key={address.read('show')}
                project={project}
                tags={shownTags(tags.data, address.read('find'), onlyBad ? bad : undefined)}
                chosen={chosen?.path ?? ''}
                onChoose={choose}
              />
            </Panel>
            {chosen && (
              <TagDetails
                key={chosen.path}
                project={project}
                tag={chosen}
                onNotice={setNotice}
                onClose={() => choose('')}
              />
            )}
          </div>
        </>
      )}
      {open === 'create' && (
        <TagDialog
          project={project}
          tag={null}
          folder={folderOf(chosen?.path ?? '')}
          onSaved={({ path }) => choose(path)}
          onClose={() => setOpen('none')}
        />
      )}
      {open === 'stop' && <StopWritesDialog project={project} onClose={() => setOpen('none')} />}
      {open === 'import' && (
        <ImportTagsDialog
          project={project}
          tags={tags.data ?? []}
          onNotice={setNotice}
          onClose={() => setOpen('none')}
        />
      )}
    </>
  );
}

function shownTags(tags: readonly TagDefinition[], find: string, bad: readonly string[] | undefined): TagDefinition[] {
  const found = foundTags(tags, find);
  if (bad === undefined) return found;
  const wanted = new Set(bad);
  return found.filter(({ path }) => wanted.has(path));
}

function Answer({ count, bad }: { count: number; bad: number }) {
  const { t, i18n } = useTranslation();
  return (
    <>
      {t('data.tags.answer', { count, tags: numberText(count, i18n.language) })}{' '}
      {bad > 0 && <b>{t('data.tags.answerBad', { count: bad, tags: numberText(bad, i18n.language) })}</b>}
    </>
  );
}

interface ActionsProps {
  project: string;
  tags: readonly TagDefinition[];
  onOpen: (open: Open) => void;
}

function TagActions({ project, tags, onOpen }: ActionsProps) {
  const { t } = useTranslation();
  const mayEdit = usePermission('edit_pipelines');
  const mayRun = usePermission('run_pipelines');
  return (
    <>
      {mayRun && <Button onClick={() => onOpen('stop')}>{t('writeStop.menu')}</Button>}
      <RowMenu label={t('data.tags.more')}>
        <Menu.Item disabled={tags.length === 0} onClick={() => exportTags(project, tags)}>
          {t('data.tags.export')}
        </Menu.Item>
        {mayEdit && <Menu.Item onClick={() => onOpen('import')}>{t('data.tags.import')}</Menu.Item>}
      </RowMenu>
      {mayEdit && (
        <Button variant="filled" leftSection={<Icon name="plus" />} onClick={() => onOpen('create')}>
          {t('data.tags.create')}
        </Button>
      )}
    </>
  );
}

function NoTags({ onOpen }: Pick<ActionsProps, 'onOpen'>) {
  const { t } = useTranslation();
  const mayEdit = usePermission('edit_pipelines');
  return (
    <Panel>
      <Empty title={t('data.tags.empty')} help={t('data.tags.emptyHelp')}>
        {mayEdit && <Button onClick={() => onOpen('create')}>{t('data.tags.createFirst')}</Button>}
      </Empty>
    </Panel>
  );
}

type FindProps = ReturnType<typeof useAddress> & { bad: number | undefined };

function FindRow({ read, change, bad }: FindProps) {
  const { t } = useTranslation();
  const label = bad === undefined ? t('data.tags.onlyBad') : t('data.tags.onlyBadCount', { count: bad });
  return (
    <search className="row wrap">
      <TextInput
        className="grow"
        aria-label={t('data.tags.find')}
        placeholder={t('data.tags.find')}
        leftSection={<Icon name="search" />}
        value={read('find')}
        onChange={(event) => change({ find: event.currentTarget.value })}
      />
      <Segments
        label={t('data.tags.show')}
        value={read('show') === 'bad' ? 'bad' : 'all'}
        options={[
          { value: 'all', label: t('data.tags.all') },
          { value: 'bad', label },
        ]}
        onChange={(show) => change({ show: show === 'bad' ? 'bad' : '' })}
      />
    </search>
  );
}
