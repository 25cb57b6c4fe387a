#include <vtkImageData.h>
#include <vtkPNGWriter.h>
#include <vtkRenderWindow.h>
#include <vtkWindowToImageFilter.h>

#include "solver/pictures/images/render_image.h"

#include <algorithm>

#include "solver/error.h"

namespace symdyn
{
Image captured(vtkRenderWindow &window)
{
  window.Render();
  auto capture = vtkSmartPointer<vtkWindowToImageFilter>::New();
  capture->SetInput(&window);
  capture->SetInputBufferTypeToRGB();
  capture->ReadFrontBufferOff();
  capture->ShouldRerenderOff();  // it would draw all once more
  capture->Update();
  vtkImageData *picture = capture->GetOutput();
  int size[3];
  picture->GetDimensions(size);
  Image image{size[0], size[1], std::vector<std::uint8_t>(std::size_t(3) * size[0] * size[1])};
  for (int row = 0; row < size[1]; ++row)  // VTK begins at the bottom
    std::copy_n(static_cast<const std::uint8_t *>(picture->GetScalarPointer(0, size[1] - 1 - row, 0)), 3 * size[0],
                &image.rgb[std::size_t(3) * row * size[0]]);
  return image;
}

void write_png(const std::string &file, const Image &image)
{
  auto picture = vtkSmartPointer<vtkImageData>::New();
  picture->SetDimensions(image.width, image.height, 1);
  picture->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  for (int row = 0; row < image.height; ++row)
    std::copy_n(&image.rgb[std::size_t(3) * row * image.width], 3 * image.width,
                static_cast<std::uint8_t *>(picture->GetScalarPointer(0, image.height - 1 - row, 0)));
  auto writer = vtkSmartPointer<vtkPNGWriter>::New();
  writer->SetFileName(file.c_str());
  writer->SetInputData(picture);
  writer->Write();
  if (writer->GetErrorCode() != 0)
    throw InputError(file + ": cannot be written. Choose another with --output");
}
}  // namespace symdyn
