// A review as one printable HTML file that loads and runs nothing.
import type { Budget, ChangeCounts, ChangeDescription, Impact } from '../change/index.ts'
import { formatBytes } from '../change/format-bytes.ts'
import type { Finding } from '../errors/finding.ts'
import { html, Html } from './html.ts'

export interface ReviewedChange {
  kind: 'added' | 'changed' | 'renamed' | 'removed'
  id: string
  /** The group: the label of its set, or the plural of its type. */
  group: string
  words: ChangeDescription
  renamedFrom: string | null
  lacks: string
}

export interface Review {
  org: { name: string; environment: string; lineage: string }
  base: number
  changeDigest: string
  author: string
  /** When it was exported, ISO 8601. */
  at: string
  rationale: string
  counts: ChangeCounts
  changes: Iterable<ReviewedChange>
  findings: readonly Finding[]
  findingsTotal: number
  impact: Impact
  budget: Budget
}

export function reviewDocument(review: Review): string {
  const { org, base, rationale } = review
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Review against generation ${base}, ${org.name}</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <header>
          <h1>Change list review</h1>
          <p>${org.name}, ${org.environment}, against generation ${base}</p>
        </header>
        ${facts(review)}
        <h2>Rationale</h2>
        <p class="text">${rationale === '' ? 'No rationale.' : rationale}</p>
        ${findingsOf(review)} ${changesOf(review)} ${impactOf(review)}
      </body>
    </html> `
  return document.text
}

const style = new Html(
  [
    ':root{color-scheme:light}',
    'body{font:13px/1.5 system-ui,sans-serif;color:#1c1a16;background:#fdfcf9;max-width:960px;margin:32px auto;padding:0 24px}',
    'h1{font-size:20px;margin:0}',
    'h2{font-size:15px;margin:28px 0 6px;border-bottom:2px solid #938c7d;padding-bottom:4px}',
    'h3{font-size:13px;margin:18px 0 2px}',
    'p{margin:4px 0}.text{white-space:pre-wrap}',
    'table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}',
    'th{text-align:left;font-size:10.5px;letter-spacing:.05em;text-transform:uppercase;color:#615c51}',
    'th,td{padding:4px 8px;border-bottom:1px solid #e2ded3;vertical-align:top;overflow-wrap:anywhere}',
    'th.old,td.old{text-align:right}td.arrow{width:1em;color:#615c51}',
    'dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:12px 0}',
    'dt{color:#615c51}dd{margin:0;overflow-wrap:anywhere}code{font:12px ui-monospace,monospace}',
    '.error{color:#a32d1d}.warning{color:#7c5200}.muted{color:#615c51}',
    '@media print{body{margin:0;max-width:none;background:#fff}h2,h3{break-after:avoid}tr,dl{break-inside:avoid}@page{margin:16mm}}',
  ].join('\n'),
)

function facts({ org, changeDigest, author, at, counts, budget }: Review): Html {
  const { added, changed, renamed, removed } = counts
  return html`<dl>
    <dt>Author</dt>
    <dd>${author}</dd>
    <dt>Exported</dt>
    <dd>${at}</dd>
    <dt>Changes</dt>
    <dd>${added} added, ${changed} changed, ${renamed} renamed, ${removed} removed</dd>
    <dt>Change digest</dt>
    <dd><code>${changeDigest}</code></dd>
    <dt>Lineage</dt>
    <dd><code>${org.lineage}</code></dd>
    <dt>Slices</dt>
    <dd>
      ${formatBytes(budget.used)} used, ${formatBytes(budget.added)} added, ${formatBytes(budget.left)} left
    </dd>
  </dl>`
}

function findingsOf({ findings, findingsTotal }: Review): Html {
  if (findingsTotal === 0)
    return html`<h2>Findings</h2>
      <p>None.</p>`
  const rows = findings.map(
    ({ severity, component, code, message }) =>
      html`<tr>
        <td class="${severity}">${severity}</td>
        <td><code>${component}</code><br /><span class="muted">${code}</span></td>
        <td>${message}</td>
      </tr>`,
  )
  return html`<h2>Findings</h2>
    ${shownOf(findings.length, findingsTotal)}
    <table>
      <thead>
        <tr>
          <th>Severity</th>
          <th>Component</th>
          <th>Message</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`
}

function changesOf({ changes }: Review): Html {
  const groups = Map.groupBy(changes, ({ group }) => group)
  const tables = [...groups].map(
    ([group, list]) =>
      html`<h3>${group} <span class="muted">${list.length}</span></h3>
        <table>
          <thead>
            <tr>
              <th>Change</th>
              <th>Component</th>
              <th class="old">Before</th>
              <th></th>
              <th>After</th>
              <th>Takes effect</th>
            </tr>
          </thead>
          <tbody>
            ${list.map(changeRow)}
          </tbody>
        </table>`,
  )
  return html`<h2>Changes</h2>
    ${tables.length === 0 ? html`<p>None.</p>` : tables}`
}

function changeRow({ kind, id, words, renamedFrom, lacks }: ReviewedChange): Html {
  const from =
    renamedFrom === null ? null : html`<br /><span class="muted">renamed from ${renamedFrom}</span>`
  const lack = lacks === '' ? null : html`<br /><span class="error">missing permission: ${lacks}</span>`
  return html`<tr>
    <td>${kind}</td>
    <td>${words.title}<br /><code class="muted">${id}</code>${from}${lack}</td>
    <td class="old">${words.before}</td>
    <td class="arrow">→</td>
    <td>${words.after}</td>
    <td>${words.takesEffect}</td>
  </tr>`
}

function impactOf({ impact }: Review): Html {
  return html`<h2>Impact</h2>
    ${readersOf(impact)} ${daysOf(impact)} ${flipsOf(impact)} ${resultsOf(impact)}`
}

function readersOf({ readers }: Impact): Html {
  if (readers.total === 0)
    return html`<h3>Readers</h3>
      <p>Nothing reads the changed components.</p>`
  const rows = readers.byType.map(
    ({ title, direct, further, readers: list }) =>
      html`<tr>
        <td>${title}</td>
        <td>${direct}</td>
        <td>${further}</td>
        <td>
          ${list.items.map(({ id }) => id).join(', ')}${list.total > list.items.length ? ` and ${list.total - list.items.length} more` : ''}
        </td>
      </tr>`,
  )
  return html`<h3>Readers <span class="muted">${readers.total}</span></h3>
    <table>
      <thead>
        <tr>
          <th>Type</th>
          <th>Direct</th>
          <th>Indirect</th>
          <th>Components</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`
}

function daysOf({ resolution, keys }: Impact): Html {
  if (resolution.total === 0)
    return html`<h3>Resolved values</h3>
      <p>No key resolves to a different value on any day.</p>`
  const rows = resolution.items.map(
    ({ title, beforeWords, afterWords, when }) =>
      html`<tr>
        <td>${title}</td>
        <td class="old">${beforeWords}</td>
        <td class="arrow">→</td>
        <td>${afterWords}</td>
        <td>${when}</td>
      </tr>`,
  )
  return html`<h3>Resolved values <span class="muted">${resolution.total}</span></h3>
    ${shownOf(resolution.items.length, resolution.total)} ${lookedOf('keys', keys.looked, keys.total)}
    <table>
      <thead>
        <tr>
          <th>What</th>
          <th class="old">Before</th>
          <th></th>
          <th>After</th>
          <th>When</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`
}

function flipsOf({ flips, today }: Impact): Html | null {
  if (flips.total === 0) return null
  const rows = flips.items.map(
    ({ setLabel, key, kind, beforeWords, afterWords, who }) =>
      html`<tr>
        <td>${key === null ? setLabel : `${setLabel}, ${key}`}</td>
        <td>
          ${kind === 'everyone' ? 'everyone else' : `${kind.replace('_', ' ')}: ${who.items.join(', ')}`}${who.total > who.items.length ? ` and ${who.total - who.items.length} more` : ''}
        </td>
        <td class="old">${beforeWords}</td>
        <td class="arrow">→</td>
        <td>${afterWords}</td>
      </tr>`,
  )
  return html`<h3>Values by viewer on ${today} <span class="muted">${flips.total}</span></h3>
    ${shownOf(flips.items.length, flips.total)}
    <table>
      <thead>
        <tr>
          <th>What</th>
          <th>For</th>
          <th class="old">Before</th>
          <th></th>
          <th>After</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>`
}

function resultsOf({ results }: Impact): Html {
  const { changed, looked, total } = results
  const rows = changed.map(
    ({ label, id, now, nowError, after, afterError }) =>
      html`<tr>
        <td>${label}<br /><code class="muted">${id}</code></td>
        <td class="old">${now ?? nowError ?? ''}</td>
        <td class="arrow">→</td>
        <td>${after ?? afterError ?? ''}</td>
      </tr>`,
  )
  const table = html`<table>
    <thead>
      <tr>
        <th>Stored result</th>
        <th class="old">Recomputed today</th>
        <th></th>
        <th>Recomputed after</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
  return html`<h3>Stored results <span class="muted">${changed.length}</span></h3>
    ${lookedOf('stored results', looked, total)}
    ${changed.length === 0 ? html`<p>No result would change if recomputed.</p>` : table}`
}

function shownOf(shown: number, total: number): Html | null {
  return shown < total ? html`<p class="muted">Showing the first ${shown} of ${total}.</p>` : null
}

function lookedOf(what: string, looked: number, total: number): Html | null {
  return looked < total ? html`<p class="muted">Checked ${looked} of ${total} ${what}.</p>` : null
}
