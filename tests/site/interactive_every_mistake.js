// Goes through all mistakes of the explorer, as links do: each has to show a difference in one of these calls, or the page
// has to say that the next call is wrong.
(() => {
  'use strict';
  const calls = [
    'past=2,5,0&n_new=3,1,2&q_len=3&max_len=10', 'past=2,0&n_new=1,3&q_len=3&max_len=10',
    'past=3&n_new=1&q_len=1&max_len=8', 'past=3&n_new=0&q_len=1&max_len=8',
  ];
  const shows = (id, version) => calls.some((call) => {
    history.replaceState(null, '', `#${call}&n_heads=6&n_kv_heads=3&head=1&mistake=${id}&version=${version}`);
    dispatchEvent(new Event('hashchange'));
    return document.querySelectorAll('td:is(.wb-extra, .wb-missing, .wb-garbage, .wb-nan)').length > 0 ||
      document.querySelector('.wb-summary').textContent.includes('the cache is wrong afterwards');
  });

  const hidden = workbookMasks.known(workbookData.mistakes).flatMap(({id, models}) => models.flatMap((_, i) =>
    (shows(id, i + 1) ? [] : [`${id}, version ${i + 1}`])));
  document.body.textContent = hidden.length === 0 ? 'every mistake shows' : `no difference is shown for: ${hidden.join('; ')}`;
})();
