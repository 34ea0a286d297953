// Serves the files of the studio: hashed files are cached permanently, the page never.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import express, { Router, type Response } from 'express'

/** API URLs; a missing path below them returns a problem document, never the page of the studio. */
const programs =
  /^\/(metadata|setup|data|events|invoke|oauth2|ofrep|docs|healthz|readyz|metrics|session|openapi\.json|\.well-known)(\/|$)/

/** @param folder `out/renderer` of the installation */
export function studioFiles(folder: string): Router {
  const router = Router()
  const page = join(folder, 'index.html')
  const files = express.static(folder, {
    index: false,
    redirect: false,
    setHeaders: (response, path) => setCacheHeader(response, path),
  })
  router.use((request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || programs.test(request.path)) return next()
    files(request, response, () => {
      // A path of a file returns 404; any other URL is a route of the studio, even if a key in it has a dot.
      if (/^\/(assets\/.+|[^/]*\.[a-z0-9]+)$/i.test(request.path)) return next()
      if (!existsSync(page)) return sendNotBuilt(response)
      response.setHeader('Cache-Control', 'no-cache')
      response.sendFile('index.html', { root: folder, cacheControl: false })
    })
  })
  return router
}

function setCacheHeader(response: Response, path: string): void {
  const hashed = /[/\\]assets[/\\]/.test(path)
  response.setHeader('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
}

function sendNotBuilt(response: Response): void {
  response.status(503).type('html').send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Almanac</title></head>
<body>
<h1>The studio is not built</h1>
<p>Run <code>npm run build</code> in the checkout and reload this page. The server is running.</p>
</body>
</html>
`)
}
