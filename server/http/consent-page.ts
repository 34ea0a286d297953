// The page to which a user returns from another system.
import { mediaReply, type MediaBody, type Reply } from './reply.ts'

interface ConsentPage {
  status?: number
  title: string
  text: string
  /** A path of our own that opens at once. */
  next?: `/${string}`
  /** Where a user can begin again. */
  link?: { to: `/${string}`; text: string }
}

export function consentPage({ status = 200, title, text, next, link }: ConsentPage): Reply<MediaBody> {
  return mediaReply('text/html; charset=utf-8', {
    ...{ status, headers: { 'Cache-Control': 'no-store' } },
    text: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    ${next === undefined ? '' : `<meta http-equiv="refresh" content="0; url=${next}">`}
    <title>${escaped(title)} - Almanac</title>
    <style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1rem }</style>
  </head>
  <body>
    <h1>${escaped(title)}</h1>
    <p>${escaped(text)}</p>
    ${link === undefined ? '' : `<p><a href="${link.to}">${escaped(link.text)}</a></p>`}
  </body>
</html>
`,
  })
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => entities[character]!)
