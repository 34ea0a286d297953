// The page that is shown in place of the studio: while the org opens, or with the reason why it could not be opened. No
// script, no external content.
import { type StatusAction, statusActions, statusLink } from './decisions/status-actions.ts'

export interface Status {
  /** One line. */
  title: string
  /** What happened and what to do; paragraphs. */
  text: readonly string[]
  /** The last lines of a log, oldest first. */
  log?: readonly string[]
  /** Buttons; the first one is the primary. */
  actions?: readonly StatusAction[]
}

/** @returns a data URL to load into the window */
export function statusPage({ title, text, log = [], actions = [] }: Status): string {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(title)} - Almanac</title>
<style>
  :root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; --accent: light-dark(#1b5e47, #7fc3a3); --on-accent: light-dark(#fff, #0d1a14);
    --edge: light-dark(#938c7d, #717468); background: light-dark(#fdfcf9, #1c1d1a); color: light-dark(#1c1a16, #e6e3d9) }
  body { margin: 0 } main { max-width: 46rem; margin: 14vh auto 2rem; padding: 0 2rem }
  h1 { font-size: 1.35rem; font-weight: 600; margin: 0 0 .75rem } h2 { font-size: .85rem; font-weight: 600; margin: 1.5rem 0 .4rem } p { margin: 0 0 .6rem; overflow-wrap: anywhere }
  pre { max-height: 40vh; overflow: auto; margin: 0; padding: .75rem 1rem; font: 12px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--edge); border-radius: 3px }
  nav { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1.25rem 0 0 } nav a { padding: .35rem 1rem; border: 1px solid var(--edge); border-radius: 3px; color: inherit; text-decoration: none }
  nav a:first-child { background: var(--accent); border-color: var(--accent); color: var(--on-accent) }
  a:focus-visible, pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
</style>
<main>
  <h1>${escape(title)}</h1>
${text.map((paragraph) => `  <p>${escape(paragraph)}</p>\n`).join('')}${buttons(actions)}${tail(log)}</main>
</html>`
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`
}

function buttons(actions: readonly StatusAction[]): string {
  if (actions.length === 0) return ''
  const links = actions.map((action) => `<a href="${statusLink(action)}">${statusActions[action]}</a>`)
  return `  <nav aria-label="Actions">${links.join('')}</nav>\n`
}

function tail(log: readonly string[]): string {
  if (log.length === 0) return ''
  return `  <h2>Last output of the server</h2>\n  <pre tabindex="0">${escape(log.join('\n'))}</pre>\n`
}

function escape(text: string): string {
  const names: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (character) => names[character]!)
}
