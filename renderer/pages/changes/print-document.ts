// Hands an HTML document to the browser's own print dialog, which saves it as a PDF. Nothing of it runs: its own content
// policy and the page's forbid it.

/** Resolves once the dialog was opened. */
export function printDocument(html: string, title: string): Promise<void> {
  return new Promise((done) => {
    const frame = document.createElement('iframe')
    frame.title = title
    frame.setAttribute('aria-hidden', 'true')
    frame.style.cssText = 'position:fixed;width:0;height:0;border:0'
    frame.srcdoc = html
    frame.addEventListener('load', () => {
      // Browsers keep the frame while their dialog is open and say when it is closed.
      frame.contentWindow?.addEventListener('afterprint', () => frame.remove())
      frame.contentWindow?.print()
      done()
    })
    document.body.append(frame)
  })
}
