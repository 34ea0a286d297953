// The page that says why the studio is not there, with the one button that helps. No script, nothing from anywhere.
import { retryLink } from './decisions/navigation-policy.ts'

/**
 * @param title one line: what failed
 * @param reason what is known of why, any text, several lines
 * @returns a data address to load into the window
 */
export function failurePage(title: string, reason: string): string {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(title)}</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
  main { max-width: 44rem; margin: 12vh auto; padding: 0 2rem }
  h1 { font-size: 1.35rem }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 1rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 6px }
  a { display: inline-block; padding: .45rem 1.1rem; border-radius: 6px; background: #2457d6; color: #fff; text-decoration: none }
  a:focus-visible { outline: 3px solid #8fb0ff; outline-offset: 2px }
</style>
<main>
  <h1>${escape(title)}</h1>
  <p>Your data is in its folder, untouched. This is what the server said:</p>
  <pre>${escape(reason)}</pre>
  <a href="${retryLink}">Retry</a>
</main>
</html>`
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`
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
