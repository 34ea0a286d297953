// Full-text search over keys, labels, values and expressions of the active generation, and over drafts.
import type { Component } from '#kernel/components/body-types.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import { all, one, OPEN, run, type Db } from './db.ts'

type Hit = ReturnType<OrgReader['search']>[number]

const EXCERPT = 120

/** Words of the text must all begin a word of the component. */
export function search(db: Db, text: string, limit: number): Hit[] {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
  if (words.length === 0) return []
  const query = words.map((word) => `"${word}"*`).join(' ')
  const found = all<{ component: ComponentId }>(
    db,
    'SELECT d.component FROM search s JOIN searchable d ON d.id = s.rowid WHERE search MATCH ? ORDER BY d.component LIMIT ?',
    query,
    limit,
  )
  const active = found.flatMap(({ component }) => hitOf(db, component, words) ?? [])
  const drafted = draftHits(db, words).filter((hit) => !active.some(({ id }) => id === hit.id))
  return [...active, ...drafted].slice(0, limit)
}

/** Takes a component into the index, in place of what it said before. */
export function indexComponent(db: Db, id: ComponentId, component: Component | null, isNew: boolean): void {
  if (!isNew) {
    const row = one<{ id: number }>(db, 'SELECT id FROM searchable WHERE component = ?', id)
    if (row !== undefined) {
      run(db, 'DELETE FROM search WHERE rowid = ?', row.id)
      run(db, 'DELETE FROM searchable WHERE id = ?', row.id)
    }
  }
  if (component === null) return
  run(db, 'INSERT INTO searchable (component) VALUES (?)', id)
  run(db, 'INSERT INTO search (rowid, words) VALUES (last_insert_rowid(), ?)', wordsOf(component))
}

function wordsOf(component: Component): string {
  const words: string[] = [component.type, component.key, component.label]
  collect(component.body, words)
  return words.join(' ')
}

function collect(value: unknown, words: string[]): void {
  if (typeof value === 'string') words.push(value)
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) words.push(name)
      collect(inner, words)
    }
}

function hitOf(db: Db, id: ComponentId, words: readonly string[]): Hit | undefined {
  const { type, key } = splitId(id)
  const row = one<{ json: string }>(
    db,
    `SELECT c.json FROM placement p JOIN content c ON c.digest = p.digest
     WHERE p.type = ? AND p.key = ? AND p.to_gen = ${OPEN}`,
    type,
    key,
  )
  if (row === undefined) return undefined
  const { label } = JSON.parse(row.json) as Component
  return { id, label, excerpt: excerptOf(row.json, words) }
}

function draftHits(db: Db, words: readonly string[]): Hit[] {
  const rows = all<{ id: ComponentId; text: string }>(
    db,
    `SELECT type || '/' || key AS id, text FROM draft WHERE text IS NOT NULL ORDER BY type, key`,
  )
  const lower = words.map((word) => word.toLowerCase())
  return rows
    .filter(({ id, text }) => lower.every((word) => `${id} ${text}`.toLowerCase().includes(word)))
    .map(({ id, text }) => ({ id, label: splitId(id).key, excerpt: excerptOf(text, words) }))
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const at = Math.max(0, ...words.slice(0, 1).map((word) => lower.indexOf(word.toLowerCase())))
  const start = Math.max(0, at - EXCERPT / 3)
  return text.slice(start, start + EXCERPT).replace(/\s+/g, ' ')
}
