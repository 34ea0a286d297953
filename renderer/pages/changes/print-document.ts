// Passes an HTML document to the browser's print dialog, which can save it as a PDF. Scripts in it do not run: its own
// content policy and that of the page forbid it.

/** Resolves once the dialog has opened. */
export function printDocument(html: string, title: string): Promise<void> {
  return new Promise((done) => {
    const frame = document.createElement('iframe')
    frame.title = title
    frame.setAttribute('aria-hidden', 'true')
    frame.style.cssText = 'position:fixed;width:0;height:0;border:0'
    frame.srcdoc = html
    frame.addEventListener('load', () => {
      // Browsers keep the frame while their dialog is open and report when it closes.
      frame.contentWindow?.addEventListener('afterprint', () => frame.remove())
      frame.contentWindow?.print()
      done()
    })
    document.body.append(frame)
  })
}
