document.body.textContent = 'Ravel';
