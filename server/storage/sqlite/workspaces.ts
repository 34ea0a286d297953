// How each user left the studio, one row per user.
import type { WorkspaceReader, WorkspaceTransactor } from '../../ports/workspaces.ts'
import { one, run, type Db } from './db.ts'

export function workspaceReader(db: Db): WorkspaceReader {
  return {
    get: (user) => one<{ json: string }>(db, 'SELECT json FROM workspace WHERE user = ?', user)?.json,
  }
}

export function workspaceTransactor(db: Db, reader: WorkspaceReader): WorkspaceTransactor {
  return {
    ...reader,
    put: (user, json) =>
      void run(
        db,
        'INSERT INTO workspace (user, json) VALUES (?, ?) ON CONFLICT (user) DO UPDATE SET json = excluded.json',
        user,
        json,
      ),
  }
}
