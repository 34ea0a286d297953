// The styles, based on tokens; if a token is not set, text and fields look like those of the system.

export const css = `
:host {
  --_gap: var(--svc-space-2, 8px); --_radius: var(--svc-radius, 4px);
  --_border: var(--svc-color-border, GrayText); --_edge: var(--svc-color-border-strong, GrayText);
  --_surface: var(--svc-color-surface, Canvas); --_text: var(--svc-color-text, CanvasText);
  --_muted: var(--svc-color-text-muted, color-mix(in srgb, CanvasText 65%, Canvas)); --_accent: var(--svc-color-accent, LinkText);
  --_strong: var(--svc-color-accent-strong, LinkText); --_danger: var(--svc-color-danger, color-mix(in srgb, red 70%, CanvasText));
  --_ring: var(--svc-focus-ring, 0 0 0 2px LinkText);
  display: block; position: relative; min-width: 0; overflow-wrap: anywhere;
  font: 400 var(--svc-text-body, 13px)/calc(1em + 7px) var(--svc-font, system-ui, sans-serif); color: var(--_text);
}
:host([hidden]), [hidden] { display: none !important; }
* { box-sizing: border-box; }
button, input { padding: 0; border: 0; background: none; color: inherit; font: inherit; }
[part=label] { display: block; width: fit-content; max-width: 100%; font-weight: 550; line-height: calc(1em + 5px); margin-bottom: 3px; }
.star { color: var(--_danger); }
[part=combo] {
  display: flex; align-items: center; gap: var(--_gap); min-height: 30px; padding-inline: var(--_gap) var(--svc-space-1, 4px);
  border: 1px solid var(--_edge); border-radius: var(--_radius); background: var(--_surface);
}
[part=combo]:focus-within { border-color: var(--_accent); box-shadow: var(--_ring); }
[part=icon] { flex: none; width: calc(var(--svc-space-4, 16px) - 2px); color: var(--_muted); }
svg { fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; }
[part=input] {
  flex: 1; min-width: 0; align-self: stretch; margin: 0; outline: 0;
  text-overflow: ellipsis;
}
[part=input]::placeholder { color: var(--_muted); opacity: 1; }
[part=clear] {
  flex: none; display: grid; place-items: center; width: var(--svc-space-5, 24px); height: var(--svc-space-5, 24px);
  color: var(--_muted); border-radius: var(--svc-radius-sm, 2px); cursor: pointer;
}
[part=clear]:hover { color: var(--_text); }
[part=clear] svg { width: 12px; }
[part=link] { color: var(--_accent); text-align: start; }
button[part=link] {
  color: inherit; cursor: pointer;
  text-decoration: underline dotted var(--_edge); text-underline-offset: 3px;
}
[part=link].none { color: var(--_muted); text-decoration: none; }
:is([part=link], [part=clear]):focus-visible { outline: 0; box-shadow: var(--_ring); border-radius: var(--svc-radius-sm, 2px); }
[part=message] { margin-top: var(--svc-space-1, 4px); line-height: calc(1em + 4.5px); }
.invalid [part=combo] { border-color: var(--_danger); box-shadow: 0 0 0 1px var(--_danger); }
.invalid [part=combo]:focus-within { box-shadow: 0 0 0 2px var(--_danger); }
.invalid [part=message] { color: var(--_danger); }
.disabled [part=combo] { background: var(--svc-color-surface-2, ButtonFace); border-color: var(--_border); color: var(--_muted); }
[part=listbox] {
  position: absolute; z-index: 1000; inset: auto; inset-inline: 0; margin: 4px 0 0; padding: var(--svc-space-1, 4px) 0; border: 0 solid var(--_border);
  max-height: 320px; overflow: auto; overscroll-behavior: contain; background: var(--_surface); color: inherit; border-radius: var(--_radius);
  box-shadow: var(--svc-shadow-float, 0 0 0 1px GrayText, 0 8px 24px #0003); font-size: var(--svc-text-row, 13px); line-height: calc(1em + 5px);
}
[part=listbox]:popover-open { position: fixed; inset-inline: auto; margin: 0; }
.rows { position: relative; }
[part=option] {
  display: flex; flex-wrap: wrap; align-content: center; column-gap: var(--_gap); width: 100%; min-height: 28px;
  padding: 4px var(--svc-space-3, 12px) 5px; cursor: pointer; overflow: hidden;
}
.two [part=option] { min-height: 43px; }
.windowed [part=option] { position: absolute; contain: strict; }
.name { flex: 1; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
small, .group { text-overflow: ellipsis; white-space: nowrap; }
.name, small, .group { overflow: hidden; min-width: 0; }
:is(.name, small, .line, [part=message]) { unicode-bidi: plaintext; text-align: left; }
.rtl :is(.name, small, .line, [part=message]) { text-align: right; }
small, .group, .line, [part=message] { font-size: .885em; color: var(--_muted); }
small { flex: 0 0 100%; line-height: calc(1em + 3.5px); }
.group { max-width: 50%; }
[part=option]:hover { background: var(--svc-color-surface-2, ButtonFace); }
[role=option][aria-selected=true] { background: var(--svc-accent-wash, color-mix(in srgb, LinkText 12%, Canvas)); box-shadow: inset 2px 0 0 var(--_accent); }
.rtl [role=option][aria-selected=true] { box-shadow: inset -2px 0 0 var(--_accent); }
[aria-current] .name { font-weight: 600; }
b {
  color: var(--_strong); font-weight: 650;
  text-decoration: underline;
}
.line { padding: 5px var(--svc-space-3, 12px); line-height: calc(1em + 6.5px); }
.line[aria-selected=true] { color: var(--_accent); cursor: pointer; }
.foot { border-top: 1px solid var(--_border); margin-top: var(--svc-space-1, 4px); }
.heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.inline :is([part=label], [part=message]) { display: none; }
.inline [part=combo] {
  border: 0; border-bottom: 1.5px solid var(--_accent); border-radius: 0; background: none; padding-inline: 0; min-height: 27px;
  gap: var(--svc-space-1, 4px);
}
.inline [part=combo]:focus-within { box-shadow: 0 1px 0 var(--_accent); }
.inline [part=icon] { color: var(--_accent); }
.inline.invalid [part=combo] { border-color: var(--_danger); box-shadow: none; }
:host([inline]) { font: inherit; color: inherit; }
@media (pointer: coarse) {
  [part=combo], [part=option], .two [part=option] { min-height: 44px; }
  .line { padding-block: 13px; }
  [part=clear] { width: 40px; height: 40px; }
}
/* A smaller text would make this system enlarge the page at a touch. */
@supports (-webkit-touch-callout: none) {
  [part=input] { font-size: max(16px, 1em); }
}
@media (forced-colors: active) {
  [part=combo]:focus-within, :is([part=link], [part=clear]):focus-visible { outline: 2px solid Highlight; }
  .invalid [part=combo] { outline: 2px dashed CanvasText; }
  .invalid [part=combo]:focus-within { outline: 2px solid Highlight; border-style: dashed; border-color: CanvasText; }
  [part=listbox] { border: 1px solid CanvasText; }
  [role=option][aria-selected=true] {
    forced-color-adjust: none; background: Highlight; color: HighlightText; box-shadow: none;
  }
  [part=icon], .inline [part=icon] { color: CanvasText; }
  [role=option][aria-selected=true] :is(b, small, .group) { color: inherit; }
  .disabled :is([part=combo], [part=icon]) { color: GrayText; border-color: GrayText; }
}
`
